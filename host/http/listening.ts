import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { RequestObserver } from "../observability/requests/finished-requests.js";
import { type ConnectionLimits, limitConnections } from "../security/connection-limits.js";
import { errorCode } from "../system/errors.js";
import { answerBrokenRequests, withReadableAddresses } from "./broken-requests.js";

/** Queued requests of a connection above which reading pauses. */
const mostWaiting = 20;

/** The running request of a connection, and its queue. */
interface Turns {
  answered: ServerResponse | undefined;
  waiting: (() => void)[];
}

const longestHeaders = 60_000;

export interface ListenOptions {
  host: string;
  port: number;
  /** Milliseconds for a client to send a request. */
  receive: number;
  connections: ConnectionLimits;
  /** Observers of requests that are refused early. */
  observers: readonly RequestObserver[];
}

/** Starts a server; rejects with a message for users. */
export async function listen(
  handle: RequestListener,
  { host, port, receive, connections, observers }: ListenOptions,
): Promise<Server> {
  const options = {
    // `limits` checks the header and answers with an error object.
    requireHostHeader: false,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: Math.min(receive, 5000),
  };
  const server = createServer(options);
  const inTurn = requestsInTurn(server);
  limitConnections(server, connections);
  // Requests add more than ten listeners.
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

/** Sets the milliseconds for clients to send a request. */
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

/** Closes the server and all its connections. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

function hostOf({ address, family }: AddressInfo): string {
  return family === "IPv6" ? `[${address}]` : address;
}

/** The reason for a failed `listen` and its fix, for users. */
export function explainedListenError(error: unknown, host: string, port: number): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `The port ${port} of ${host} is in use; choose another one with --port, or 0 for a free one.`,
    EACCES: `This user may not listen on port ${port}; choose one above 1023 with --port, with a proxy in front of it.`,
    EADDRNOTAVAIL: `This machine has no address ${host}; choose another one with --host.`,
    ENOTFOUND: `The name ${host} is not known; choose an address with --host.`,
  };
  return new Error(reasons[errorCode(error) ?? ""] ?? `Cannot listen on ${host}:${port}.`, { cause: error });
}

/**
 * Handles the requests of a connection one at a time. Clients may pipeline requests (RFC 9112, section 9.3.2); Node
 * emits them all at once, and each response uses memory until it can be sent, which is never if the client does not
 * read. Queued requests are dropped when the connection closes.
 */
function requestsInTurn(server: Server): (handle: RequestListener) => RequestListener {
  const connections = new WeakMap<Socket, Turns>();
  server.on("connection", (socket) => {
    const turns: Turns = { answered: undefined, waiting: [] };
    connections.set(socket, turns);
    // Node resumes reading after it has sent data.
    socket.on("resume", () => hold(socket, turns));
    socket.once("close", () => turns.waiting.splice(0));
  });
  return (handle) => (request, response) => {
    const turns = connections.get(request.socket);
    if (turns === undefined) return handle(request, response);
    const begin = (): void => answer(turns, handle, request, response);
    if (turns.answered === undefined) return begin();
    turns.waiting.push(begin);
    hold(request.socket, turns);
  };
}

function hold(socket: Socket, { waiting }: Turns): void {
  if (waiting.length >= mostWaiting) socket.pause();
}

function answer(
  turns: Turns,
  handle: RequestListener,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { socket } = request;
  turns.answered = response;
  response.once("close", () => {
    turns.answered = undefined;
    // The response may have closed the connection.
    if (socket.writable) turns.waiting.shift()?.();
    if (turns.waiting.length < mostWaiting && socket.isPaused()) socket.resume();
  });
  handle(request, response);
}
