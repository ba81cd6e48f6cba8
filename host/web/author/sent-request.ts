import { parsedJson } from "../../system/json.js";
import type { HostClient } from "../client/host-client.js";
import type { PreparedRequest } from "./inputs.js";

/** The response of a route. */
export interface RouteAnswer {
  status: number;
  milliseconds: number;
  headers: readonly (readonly [string, string])[];
  text: string;
  /** Undefined if the text is not JSON. */
  json: unknown;
  /** Its log lines have this id. */
  requestId: string | undefined;
}

/** Sends the request like any client. Rejects without a response. */
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
