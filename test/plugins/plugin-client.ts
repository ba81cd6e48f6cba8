/** A plugin as its clients see it: of a running host over HTTP, or of a host in memory. */
import { checkProject, describe } from "@slipway/sdk";
import type { TestHost } from "@slipway/sdk/testing";

/** Any JSON object. */
export type Json = Record<string, unknown>;

export type Bytes = Uint8Array<ArrayBuffer>;

export interface Answer {
  status: number;
  mediaType: string;
  text: string;
  /** The body where it is JSON, else an empty object; `list` holds what is no object. */
  json: Json;
}

/** A generated file as it is downloaded. */
export interface Download {
  mediaType: string;
  bytes: Bytes;
}

export interface PluginClient {
  /** Opens a session and gives its id. */
  open(project: Json | Bytes, locale: string): Promise<string>;
  /** Below the plugin's base, with its query. */
  get(path: string): Promise<Answer>;
  post(path: string, body: Json): Promise<Answer>;
  /** The file of a URL; fails where there is none. */
  download(url: unknown): Promise<Download>;
}

/** `host`: the URL of a running host, where the plugin is found by its name, or a test host with the plugin. */
export function pluginClient(host: string | TestHost, name: string): PluginClient {
  return typeof host === "string" ? new HttpPlugin(host, name) : new PluginInMemory(host);
}

class HttpPlugin implements PluginClient {
  constructor(
    private readonly host: string,
    private readonly name: string,
  ) {}

  async open(project: Json | Bytes, locale: string): Promise<string> {
    const binary = project instanceof Uint8Array;
    const response = await fetch(`${this.host}/api/sessions?locale=${locale}`, {
      method: "POST",
      headers: { "Content-Type": binary ? "application/octet-stream" : "application/json" },
      body: binary ? project : JSON.stringify(project),
    });
    const answer = await answerOf(response);
    if (answer.status !== 201) throw new Error(`Opening a session: ${answer.status} ${answer.text}`);
    return String(answer.json["sessionId"]);
  }

  async get(path: string): Promise<Answer> {
    return answerOf(await fetch(this.url(path)));
  }

  async post(path: string, body: Json): Promise<Answer> {
    const headers = { "Content-Type": "application/json" };
    return answerOf(await fetch(this.url(path), { method: "POST", headers, body: JSON.stringify(body) }));
  }

  async download(url: unknown): Promise<Download> {
    const response = await fetch(String(url));
    if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
    const mediaType = response.headers.get("Content-Type") ?? "";
    return { mediaType, bytes: new Uint8Array(await response.arrayBuffer()) };
  }

  private url(path: string): string {
    return `${this.host}/EAIWS/plugins/${this.name}/${path}`;
  }
}

class PluginInMemory implements PluginClient {
  constructor(private readonly host: TestHost) {}

  async open(project: Json | Bytes, locale: string): Promise<string> {
    const session = await this.host.openSession(projectOf(project), { locale });
    return session.id;
  }

  async get(path: string): Promise<Answer> {
    return given(await this.host.get(path));
  }

  async post(path: string, body: Json): Promise<Answer> {
    return given(await this.host.post(path, body));
  }

  async download(url: unknown): Promise<Download> {
    const { mediaType, bytes } = this.host.file(url);
    return { mediaType, bytes: new Uint8Array(bytes) };
  }
}

/** As it would arrive at a host. */
function projectOf(sent: Json | Bytes) {
  if (sent instanceof Uint8Array) return sent;
  const json: unknown = JSON.parse(JSON.stringify(sent));
  const checked = checkProject(json);
  if (!checked.ok) throw new Error(checked.violations.map(describe).join("; "));
  return checked.value;
}

function given({ status, headers, text }: Awaited<ReturnType<TestHost["get"]>>): Answer {
  return answer(status, headers["content-type"] ?? "", text);
}

export async function answerOf(response: Response): Promise<Answer> {
  return answer(response.status, response.headers.get("Content-Type") ?? "", await response.text());
}

function answer(status: number, contentType: string, text: string): Answer {
  const [mediaType = ""] = contentType.split(";", 1);
  const json: unknown = mediaType === "application/json" ? JSON.parse(text) : {};
  return { status, mediaType, text, json: isJson(json) ? json : { list: json } };
}

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
