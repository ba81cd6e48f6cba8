/** A template store on a real socket: one that tells what it was asked, and behaves as badly as a test wants. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { isJson, type Json } from "../plugins/reporter-client.js";
import { type HandmadeEntry, handmadeTar } from "./archive-support.js";
import { reportOnly } from "./templates-support.js";

export interface TestServer {
  /** Name and port. */
  host: string;
  /** Base address. */
  url: string;
  close(): Promise<void>;
}

/** A server on a free port of this machine. */
export async function serve(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    host,
    url: `http://${host}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A server of the files of a folder, which knows nothing of templates. */
export function serveFolder(folder: string): Promise<TestServer> {
  return serve((request, response) => {
    readFile(join(folder, basename(request.url ?? ""))).then(
      (content) => response.end(content),
      () => response.writeHead(404).end(),
    );
  });
}

/** A template as its store has it. */
export interface StoredTemplate {
  /** What the index says. */
  entry: Json;
  /** Where the archive really lies. */
  file: string;
  archive: Buffer;
}

/** A template of these files; `entry` changes what the index says of it. */
export function stored(
  key: string,
  files: Record<string, string | Buffer>,
  entry: Json = {},
): StoredTemplate {
  const entries = Object.entries(files).map(([path, content]) => ({ name: `template/${path}`, content }));
  return packed(key, entries, entry);
}

/** A template of the default category with only this report. */
export function storedReport(
  key: string,
  report: string,
  changes: Json = {},
  entry: Json = {},
): StoredTemplate {
  const category = { key: "default", name: { en: "Default" } };
  return stored(key, reportOnly(key, report, { category, ...changes }), entry);
}

/** An archive of these entries, whatever they are. */
export function packed(key: string, entries: readonly HandmadeEntry[], entry: Json = {}): StoredTemplate {
  return archived(key, gzipSync(handmadeTar(entries)), entry);
}

/** These bytes as an archive. */
export function archived(key: string, archive: Buffer, entry: Json = {}): StoredTemplate {
  const sha256 = sha256Of(archive);
  const file = `${key}-1.0.0-${sha256.slice(0, 8)}.tgz`;
  const said = { key, version: "1.0.0", sha256, bytes: archive.length, archive: file, ...entry };
  return { entry: said, file, archive };
}

/** Hexadecimal. */
export function sha256Of(archive: Buffer): string {
  return createHash("sha256").update(archive).digest("hex");
}

export interface Asked {
  path: string;
  token: string | undefined;
  /** Of the index that the client has. */
  etag: string | undefined;
  status: number;
}

/** Answers instead of the store. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => void;

export interface TestStore extends TestServer {
  /** What each token may see. Without an entry a token is refused; "" is for those who have none. */
  readonly tokens: Map<string, readonly StoredTemplate[]>;
  /** By token: how it answers everything that this token asks for. */
  readonly misbehaviours: Map<string, Misbehaviour>;
  readonly asked: Asked[];
}

/** A store that speaks the protocol. */
export async function startStore(): Promise<TestStore> {
  const tokens: TestStore["tokens"] = new Map();
  const misbehaviours: TestStore["misbehaviours"] = new Map();
  const asked: Asked[] = [];
  const server = await serve((request, response) => {
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1];
    const path = request.url ?? "";
    const etag = request.headers["if-none-match"];
    response.once("finish", () => asked.push({ path, token, etag, status: response.statusCode }));
    const misbehaviour = misbehaviours.get(token ?? "");
    if (misbehaviour !== undefined) return misbehaviour(request, response);
    answer(path, etag, tokens.get(token ?? ""), response);
  });
  return { ...server, tokens, misbehaviours, asked };
}

function answer(
  path: string,
  etag: string | undefined,
  templates: readonly StoredTemplate[] | undefined,
  response: ServerResponse,
): void {
  if (templates === undefined) response.writeHead(401).end();
  else if (path === "/base/index.json") sendIndex(etag, templates, response);
  else sendArchive(path, templates, response);
}

function sendIndex(
  etag: string | undefined,
  templates: readonly StoredTemplate[],
  response: ServerResponse,
): void {
  const index = indexText(templates);
  const current = `"${createHash("sha256").update(index).digest("hex").slice(0, 16)}"`;
  if (etag === current) response.writeHead(304).end();
  else response.writeHead(200, { "Content-Type": "application/json", ETag: current }).end(index);
}

function sendArchive(path: string, templates: readonly StoredTemplate[], response: ServerResponse): void {
  const found = templates.find(({ file }) => `/base/${file}` === path);
  if (found === undefined) response.writeHead(404).end();
  else response.writeHead(200, { "Content-Type": "application/gzip" }).end(found.archive);
}

/** The index of these templates, with a member that no host knows. */
export function indexText(templates: readonly StoredTemplate[]): string {
  const entries = templates.map(({ entry }) => ({ ...entry, unknown: true }));
  return JSON.stringify({ protocol: 1, made: "2024-07-10", templates: entries });
}

/** The records of a list, and what came of asking the store. */
export interface Listed {
  status: number;
  records: Json[];
  keys: unknown[];
  /** Header `Slipway-Template-Store`. */
  store: string | null;
  /** Of an answer that is no list. */
  error: Json;
}

/** What a client sees that asks a host for its templates. */
export async function listed(url: string, query: Record<string, string> | string): Promise<Listed> {
  const response = await fetch(`${url}/EAIWS/plugins/Reporter/templates.json?${new URLSearchParams(query)}`);
  const body: unknown = await response.json();
  const records = Array.isArray(body) ? body.filter(isJson) : [];
  return {
    status: response.status,
    records,
    keys: records.map((record) => record["key"]),
    store: response.headers.get("Slipway-Template-Store"),
    error: isJson(body) ? body : {},
  };
}

/** The key of the store's template among them. */
export function storeKey({ records }: Listed, key: string): string {
  const found = records.find((record) => record["source"] === "store" && record["key"] === key);
  if (found === undefined) throw new Error(`The store's ${key} is not in the list`);
  return String(found["templateKey"]);
}
