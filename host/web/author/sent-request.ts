import { isJsonObject, parsedJson } from "../../system/json.js";
import type { HostClient } from "../client/host-client.js";
import type { PreparedRequest } from "./inputs.js";

/** What a route answered. */
export interface RouteAnswer {
  status: number;
  milliseconds: number;
  headers: readonly (readonly [string, string])[];
  text: string;
  /** Undefined where the text is no JSON. */
  json: unknown;
  /** Its lines in the log have it. */
  requestId: string | undefined;
}

/** A file that a route made. */
export interface AnsweredFile {
  name: string;
  /** Of this host, whatever others call it. */
  address: string;
}

/** An error that did not end the request. */
export interface Suppressed {
  id: string;
  message: string;
  scopes: readonly unknown[];
}

/** Asks as any client would. Rejects when nobody answers. */
export async function send(host: HostClient, request: PreparedRequest): Promise<RouteAnswer> {
  const { method, path, body } = request;
  const begun = performance.now();
  const response = await fetch(host.address(path), {
    method,
    headers: { ...host.headers(), ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    milliseconds: performance.now() - begun,
    headers: [...response.headers],
    text,
    json: parsedJson(text),
    requestId: response.headers.get("X-Request-Id") ?? undefined,
  };
}

/** The files whose addresses an answer has, wherever in it. */
export function filesIn(value: unknown, root: URL): AnsweredFile[] {
  const found = new Map<string, AnsweredFile>();
  const look = (each: unknown): void => {
    if (typeof each === "string") {
      const file = fileOf(each, root);
      if (file !== undefined) found.set(file.address, file);
    } else if (Array.isArray(each)) for (const member of each) look(member);
    else if (isJsonObject(each)) for (const member of Object.values(each)) look(member);
  };
  look(value);
  return [...found.values()];
}

function fileOf(text: string, root: URL): AnsweredFile | undefined {
  if (!/^https?:\/\/\S+$/.test(text) || !URL.canParse(text)) return undefined;
  const path = /\/(files\/[A-Za-z0-9_-]{20,100}\/([^/]+))$/.exec(new URL(text).pathname);
  if (path === null) return undefined;
  const [, place = "", name = ""] = path;
  return { name: decodeURIComponent(name), address: new URL(place, root).href };
}

/** What was left out of an answer. */
export function suppressedIn(value: unknown): Suppressed[] {
  const errors = isJsonObject(value) && Array.isArray(value["errors"]) ? value["errors"] : [];
  return errors.filter(isJsonObject).map(({ id, message, scopes }) => ({
    id: String(id),
    message: String(message),
    scopes: Array.isArray(scopes) ? scopes : [],
  }));
}
