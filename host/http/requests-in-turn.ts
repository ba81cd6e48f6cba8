import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that a connection may have in wait before no more of it is read. */
const mostWaiting = 20;

/** One connection: what is answered, and what waits behind it. */
interface Turns {
  answered: ServerResponse | undefined;
  waiting: (() => void)[];
}

/**
 * Has the requests of a connection handled one after the other, as each is answered. Clients may send requests without waiting for
 * answers (RFC 9112, section 9.3.2); Node hands them all on at once, and each answer takes memory until its turn comes, which is never
 * where a client does not read. What waits when the connection closes is dropped.
 */
export function requestsInTurn(server: Server): (handle: RequestListener) => RequestListener {
  const connections = new WeakMap<Socket, Turns>();
  server.on("connection", (socket) => {
    const turns: Turns = { answered: undefined, waiting: [] };
    connections.set(socket, turns);
    // Node reads on by itself when it has sent something.
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
    // The answer may have been the last one of its connection.
    if (socket.writable) turns.waiting.shift()?.();
    if (turns.waiting.length < mostWaiting && socket.isPaused()) socket.resume();
  });
  handle(request, response);
}
