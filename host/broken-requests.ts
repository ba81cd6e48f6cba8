/** What Node refuses before it is a request gets an error object like everything else. */
import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { RequestError } from "@slipway/sdk";

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

/** Answers broken syntax, too large headers, too slow senders and expectations that nobody can meet. */
export function answerBrokenRequests(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on("request", (request, response) => {
    answers.set(request.socket, response);
    response.once("close", () => answers.delete(request.socket));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // In the middle of an answer, another one would only look like a part of it.
    const begun = answers.get(socket)?.headersSent ?? false;
    if (error.code === "ECONNRESET" || !socket.writable || begun) socket.destroy();
    else refuse(socket, refusals[error.code ?? ""] ?? broken);
  });
  server.on("checkExpectation", (_request, response) => {
    const content = Buffer.from(body({ ...broken, code: 417, reason: "Expectation Failed" }));
    const type = "application/json; charset=utf-8";
    response.writeHead(417, { "Content-Type": type, "Content-Length": content.length, Connection: "close" });
    response.end(content);
  });
}

function refuse(socket: Duplex, refusal: Refusal): void {
  const content = body(refusal);
  socket.end(
    `HTTP/1.1 ${refusal.code} ${refusal.reason}\r\nConnection: close\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`,
  );
}

function body({ id, code, reason }: Refusal): string {
  return JSON.stringify(new RequestError({ id, code, message: `${reason}.` }).toObject());
}
