import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Closes responses that wait for their turn on a connection that is gone. Clients may send requests without waiting for
 * answers; Node tells only the response whose turn it is that its client left, and all that the others hold would stay for good.
 */
export function closeAbandonedResponses(server: Server): void {
  const open = new WeakMap<Socket, Set<ServerResponse>>();
  server.on("connection", (socket) => {
    const responses = new Set<ServerResponse>();
    open.set(socket, responses);
    socket.once("close", () => {
      for (const response of [...responses].filter(({ socket: own }) => own === null)) {
        response.destroy();
        // Without a connection of its own it does not say so itself.
        response.emit("close");
      }
    });
  });
  server.on("request", ({ socket }, response) => {
    const responses = open.get(socket);
    responses?.add(response);
    response.once("close", () => responses?.delete(response));
  });
}
