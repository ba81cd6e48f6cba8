/** Asks a host the questions of a recording, and makes of its answers what is the same in every host. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Static, Type } from "@slipway/sdk";

export const Question = Type.Object({
  method: Type.String(),
  /** Below the plugin's base; `{server}` stands for a server that answers what is asked of it. */
  path: Type.String(),
  /** `{session}` stands for the id of a session with the project beside the recording. */
  body: Type.Optional(Type.Unknown()),
});
export type Question = Static<typeof Question>;

export const Answer = Type.Object({
  status: Type.Integer(),
  mediaType: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  /** JSON value or text. */
  body: Type.Unknown(),
  /** What was stored: name to content as text, as far as the answer has addresses. */
  files: Type.Optional(Type.Record(Type.String(), Type.String())),
});
export type Answer = Static<typeof Answer>;

export interface AskedHost {
  /** Where the host listens. */
  url: string;
  /** Public name of the plugin. */
  plugin: string;
  /** JSON of the project. */
  project: string;
  /** Address of an `answeringServer`. */
  server: string;
}

export async function askAll(host: AskedHost, questions: readonly Question[]): Promise<Answer[]> {
  const session = await openSession(host);
  const answers: Answer[] = [];
  for (const question of questions) answers.push(await ask(host, session, question));
  return answers;
}

/** A server of which plugins ask something; stop it with `close`. */
export async function answeringServer(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    response.statusCode = pathname === "/missing" ? 404 : 200;
    response.setHeader("Content-Type", "text/plain; charset=utf-8");
    response.end(`Grüße from ${pathname}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port }: AddressInfo = addressOf(server.address());
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address;
}

async function openSession({ url, project }: AskedHost): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${url}/api/sessions?locale=de_DE`, { method: "POST", headers, body: project });
  const opened: Record<string, unknown> = JSON.parse(await answer.text());
  if (!answer.ok) throw new Error(`The session does not open: ${JSON.stringify(opened)}`);
  return String(opened["sessionId"]);
}

async function ask(host: AskedHost, session: string, { method, path, body }: Question): Promise<Answer> {
  const filled = (text: string): string =>
    text.replaceAll("{session}", session).replaceAll("{server}", host.server);
  const response = await fetch(`${host.url}/EAIWS/plugins/${host.plugin}/${filled(path)}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { "Content-Type": "application/json" }, body: filled(JSON.stringify(body)) }),
  });
  const text = await response.text();
  const ids = [...text.matchAll(/\/files\/([\w-]+)\//g)].map(([, id = ""]) => id);
  const known = [
    [session, "{session}"],
    [host.url, "{host}"],
    [host.server, "{server}"],
  ] as const;
  const lasting = (original: string): string =>
    [...known, ...ids.map((id) => [id, "{file}"] as const)].reduce(
      (result, [value, name]) => result.replaceAll(value, name),
      original,
    );
  const [mediaType = ""] = (response.headers.get("Content-Type") ?? "").split(";");
  const files = await storedFiles(text);
  return {
    status: response.status,
    mediaType,
    headers: headersOf(response),
    body: mediaType === "application/json" ? JSON.parse(lasting(text)) : lasting(text),
    ...(Object.keys(files).length === 0 ? {} : { files }),
  };
}

function headersOf({ headers }: Response): Record<string, string> {
  const names = ["Slipway-Plugin", "Retry-After"];
  return Object.fromEntries(
    names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ""]] : [])),
  );
}

/** Archives have times in them, so only their type counts. */
async function storedFiles(answer: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [url] of answer.matchAll(/http:\/\/[^"\s]+\/files\/[\w-]+\/[^"\s]+/g)) {
    const stored = await fetch(url);
    const mediaType = stored.headers.get("Content-Type") ?? "";
    const content = Buffer.from(await stored.arrayBuffer()).toString("latin1");
    const name = decodeURIComponent(url.slice(url.lastIndexOf("/") + 1));
    found[name] = mediaType === "application/zip" ? mediaType : `${mediaType}: ${content}`;
  }
  return found;
}
