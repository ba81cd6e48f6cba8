/** Answers requests that Node refuses itself with error objects. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { RequestError } from "@slipway/sdk";
import type { FinishedRequest, RequestObserver } from "../observability/requests/finished-requests.js";
import { requestIdOf, shownPath } from "../observability/requests/request-names.js";
import { requestAddress } from "./request-address.js";

const mediaType = "application/json; charset=utf-8";

/** The logged data of a refused request. */
type Seen = Pick<FinishedRequest, "requestId" | "method" | "path" | "client">;

interface Refusal {
  id: string;
  code: number;
  /** The reason phrase of the status. */
  reason: string;
}

const broken: Refusal = { id: "request-bad-request", code: 400, reason: "Bad Request" };
const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { id: "request-too-large", code: 431, reason: "Request Header Fields Too Large" },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { id: "request-too-large", code: 413, reason: "Payload Too Large" },
  ERR_HTTP_REQUEST_TIMEOUT: { id: "request-timeout", code: 408, reason: "Request Timeout" },
};

/** The last request of a connection, by its response. */
const begun = new WeakMap<Duplex, ServerResponse>();

/** Status that replaced a response. */
const refused = new WeakMap<ServerResponse, number>();

/** The status that the client got instead of this response; undefined when none was refused. */
export function refusedStatus(response: ServerResponse): number | undefined {
  return refused.get(response);
}

/** Answers and logs broken syntax, oversized headers, slow senders and unsupported expectations. */
export function answerBrokenRequests(
  server: Server,
  inTurn: (handle: RequestListener) => RequestListener,
  observers: readonly RequestObserver[],
): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const last = begun.get(socket);
    const running = last?.closed ? undefined : last;
    // A second response after partial output would look like a part of it.
    if (error.code === "ECONNRESET" || !socket.writable || running?.headersSent) return void socket.destroy();
    const refusal = refusals[error.code ?? ""] ?? broken;
    const known = running?.getHeader("X-Request-Id");
    const requestId = typeof known === "string" ? known : randomUUID();
    refuse(socket, refusal, requestId);
    // A known request is reported when its response closes.
    if (running === undefined)
      tell(refusal, { requestId, method: "-", path: "-", client: addressOf(socket) }, observers);
    else refused.set(running, refusal.code);
  });
  const refuseExpectation = inTurn((request, response) => {
    const refusal = { ...broken, code: 417, reason: "Expectation Failed" };
    tell(refusal, answerRefused(request, response, refusal), observers);
  });
  server.on("checkExpectation", refuseExpectation);
}

/**
 * Answers 400 for unparsable URLs, such as "http://[/", and passes all others to `handle`: later code reads the path
 * even after the request, where an exception would end the process.
 */
export function withReadableAddresses(
  handle: RequestListener,
  observers: readonly RequestObserver[],
): RequestListener {
  return (request, response) => {
    begun.set(request.socket, response);
    if (isReadable(request)) handle(request, response);
    else tell(broken, answerRefused(request, response, broken), observers);
  };
}

function isReadable(request: IncomingMessage): boolean {
  try {
    requestAddress(request);
    return true;
  } catch {
    return false;
  }
}

function answerRefused(request: IncomingMessage, response: ServerResponse, refusal: Refusal): Seen {
  const requestId = requestIdOf(request);
  const content = Buffer.from(body(refusal));
  response.writeHead(refusal.code, {
    "X-Request-Id": requestId,
    "Content-Type": mediaType,
    "Content-Length": content.length,
    "Cache-Control": "no-store",
    Connection: "close",
  });
  response.end(content);
  const path = shownPath(request.url?.split("?", 1)[0] ?? "");
  return { requestId, method: request.method ?? "-", path, client: addressOf(request.socket) };
}

function tell(refusal: Refusal, seen: Seen, observers: readonly RequestObserver[]): void {
  const { id: errorId, code: status } = refusal;
  const over = { status, errorId, milliseconds: 0, waited: 0, isComplete: true };
  for (const each of observers) each({ time: new Date().toISOString(), ...seen, ...over });
}

function refuse(socket: Duplex, refusal: Refusal, requestId: string): void {
  const content = body(refusal);
  socket.end(
    `HTTP/1.1 ${refusal.code} ${refusal.reason}\r\nConnection: close\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Type: ${mediaType}\r\nContent-Length: ${Buffer.byteLength(content)}\r\nCache-Control: no-store\r\n\r\n${content}`,
  );
}

function body({ id, code, reason }: Refusal): string {
  return JSON.stringify(new RequestError({ id, code, message: `${reason}.` }).toObject());
}

function addressOf(socket: Duplex): string {
  return socket instanceof Socket ? (socket.remoteAddress ?? "") : "";
}
