import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { RequestObserver } from "../observability/requests/request-observer.js";
import { type ConnectionLimits, limitConnections } from "../security/connection-limits.js";
import { errorCode } from "../system/error-code.js";
import { answerBrokenRequests, withReadableAddresses } from "./broken-requests.js";
import { requestsInTurn } from "./requests-in-turn.js";

const longestHeaders = 60_000;

export interface ListenOptions {
  host: string;
  port: number;
  /** Milliseconds that a client may take to send a request. */
  receive: number;
  connections: ConnectionLimits;
  /** Hear of requests that are refused before they are any. */
  observers: readonly RequestObserver[];
}

/** A server that listens; rejects with a message for people when it cannot. */
export async function listen(
  handle: RequestListener,
  { host, port, receive, connections, observers }: ListenOptions,
): Promise<Server> {
  const options = {
    // Checked by `limits`, which answers with an error object.
    requireHostHeader: false,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: Math.min(receive, 5000),
  };
  const server = createServer(options);
  const inTurn = requestsInTurn(server);
  limitConnections(server, connections);
  // More than ten steps of a request wait for its end.
  server.on("request", (_, response) => response.setMaxListeners(20));
  server.on("request", inTurn(withReadableAddresses(handle, observers)));
  limitReceiving(server, receive);
  answerBrokenRequests(server, inTurn, observers);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explainedListenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  return server;
}

/** Lets clients take so many milliseconds to send a request from now on. */
export function limitReceiving(server: Server, receive: number): void {
  server.headersTimeout = Math.min(receive, longestHeaders);
  server.requestTimeout = receive;
}

/** Such as "http://127.0.0.1:8080". */
export function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen");
  return `http://${hostOf(address)}:${address.port}`;
}

/** Ends the server; connections that are still open by then end with it. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

function hostOf({ address, family }: AddressInfo): string {
  return family === "IPv6" ? `[${address}]` : address;
}

/** What keeps a server from listening, and what to do about it, for people; `error` is that of `listen`. */
export function explainedListenError(error: unknown, host: string, port: number): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `The port ${port} of ${host} is in use; choose another one with --port, or 0 for a free one.`,
    EACCES: `This user may not listen on port ${port}; choose one above 1023 with --port, with a proxy in front of it.`,
    EADDRNOTAVAIL: `This machine has no address ${host}; choose another one with --host.`,
    ENOTFOUND: `The name ${host} is not known; choose an address with --host.`,
  };
  return new Error(reasons[errorCode(error) ?? ""] ?? `Cannot listen on ${host}:${port}.`, { cause: error });
}
