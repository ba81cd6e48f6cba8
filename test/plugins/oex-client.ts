/** Talks to the order export of a running host the way clients do, and fetches what it delivers. */
import { buffer } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";
import { type Answer, answerOf, isJson, type Json, ReporterClient } from "./reporter-client.js";

const base = "/EAIWS/plugins/oex/";

export type Bytes = Uint8Array<ArrayBuffer>;

export interface ExportedFile {
  name: string;
  url: string;
  bytes: Bytes;
  mediaType: string;
}

/** The result of an export with the content of its files. */
export interface Exported {
  json: Json;
  errors: Json[];
  archive: ExportedFile;
  oex: ExportedFile | undefined;
  obx: ExportedFile | undefined;
  pdf: ExportedFile | undefined;
}

export class OexClient {
  private readonly sessions: ReporterClient;

  constructor(readonly url: string) {
    this.sessions = new ReporterClient(url);
  }

  /** Opens a session and gives its id. */
  open(project: Json | Bytes, locale?: string): Promise<string> {
    return this.sessions.open(project, locale);
  }

  async config(): Promise<Answer> {
    return answerOf(await fetch(`${this.url}${base}config.json`));
  }

  manufacturers(sessionId: string): Promise<Answer> {
    return this.post("manufacturers.json", JSON.stringify({ sessionId }));
  }

  export(body: Json): Promise<Answer> {
    return this.post("export", JSON.stringify(body));
  }

  async post(path: string, body: string): Promise<Answer> {
    const headers = { "Content-Type": "application/json" };
    return answerOf(await fetch(`${this.url}${base}${path}`, { method: "POST", headers, body }));
  }

  /** An export with all of its files; fails where there is an aborting error. */
  async exported(sessionId: string, config: Json = {}, more: Json = {}): Promise<Exported> {
    const answer = await this.export({ sessionId, config, ...more });
    if (answer.status !== 200) throw new Error(`export: ${answer.status} ${answer.text}`);
    const { json } = answer;
    const archive = await file(json["archive"]);
    if (archive === undefined) throw new Error(`export: no archive in ${answer.text}`);
    return {
      json,
      errors: listOf(json["errors"]),
      archive,
      oex: await file(json["oex"]),
      obx: await file(json["obx"]),
      pdf: await file(json["pdf"]),
    };
  }

  /** The OEX document of an export, and its errors. */
  async document(
    sessionId: string,
    config: Json = {},
  ): Promise<{ bytes: Bytes; json: Json; errors: Json[] }> {
    const { oex, json, errors } = await this.exported(sessionId, { attachOBX: false, ...config });
    if (oex === undefined) throw new Error("export: no document");
    return { bytes: oex.bytes, json, errors };
  }
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

async function file(value: unknown): Promise<ExportedFile | undefined> {
  if (!isJson(value)) return undefined;
  const url = String(value["url"]);
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return {
    name: String(value["name"]),
    url,
    bytes: new Uint8Array(await response.arrayBuffer()),
    mediaType: response.headers.get("Content-Type") ?? "",
  };
}

/** Name and content of each entry of an archive. */
export async function archiveEntries(bytes: Bytes): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return entries;
}
