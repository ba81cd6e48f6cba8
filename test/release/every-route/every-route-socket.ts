/** Requests byte by byte: no client library mends a path, a header or a length on the way. */
import { connect, type Socket } from "node:net";

export interface Question {
  method: string;
  /** As it stands in the first line. */
  target: string;
  headers?: readonly (readonly [name: string, value: string])[];
  body?: string | Uint8Array;
  /** Instead of all the others; they only tell what it was. */
  bytes?: string | Uint8Array;
  /** What becomes of the connection when everything is sent; it stays open without it. */
  leave?: "end" | "reset";
}

export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>;
  text: string;
}

/** One question on a connection of its own; undefined when the connection ends without a whole answer. */
export function ask(base: string, question: Question, patience: number): Promise<Answer | undefined> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const end = (): Answer | undefined => {
      clearTimeout(timer);
      socket.destroy();
      return read(Buffer.concat(received), question.method, true);
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No whole answer within ${patience} ms`));
    }, patience);
    socket.on("data", (piece: Buffer) => {
      received.push(piece);
      if (isLate(piece) && read(Buffer.concat(received), question.method, false) !== undefined)
        resolve(end());
    });
    socket.on("end", () => resolve(end()));
    // Who refuses a body while it still comes closes the connection; what was said before that counts.
    socket.on("error", () => resolve(end()));
    socket.on("close", () => resolve(end()));
    send(socket, question);
  });
}

/** Whether an answer may be over: reading a large one again for each of its pieces would take long. */
function isLate(piece: Buffer): boolean {
  return piece.length < 60_000;
}

function send(socket: Socket, question: Question): void {
  const whole = question.bytes ?? bytesOf(question);
  socket.write(whole, () => {
    if (question.leave === "end") socket.end();
    if (question.leave === "reset") socket.resetAndDestroy();
  });
}

/** What goes over the wire. */
export function bytesOf({ method, target, headers = [], body }: Question): Uint8Array {
  const content = body === undefined ? undefined : Buffer.from(body);
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(names.has("host") ? [] : ["Host: localhost"]),
    ...(names.has("connection") ? [] : ["Connection: close"]),
    ...(content === undefined || names.has("content-length") || names.has("transfer-encoding")
      ? []
      : [`Content-Length: ${content.length}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
  return content === undefined ? head : Buffer.concat([head, content]);
}

/** The first whole answer in what came; one without a length ends where the connection does. */
function read(bytes: Buffer, method: string, isOver: boolean): Answer | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const [first = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? 0);
  const rest = bytes.subarray(headEnd + 4);
  if (status >= 100 && status < 200) return read(rest, method, isOver);
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = bodyOf(rest, headers, method === "HEAD" || status === 204 || status === 304, isOver);
  return body === undefined ? undefined : { status, headers, text: body.toString() };
}

function bodyOf(
  rest: Buffer,
  headers: ReadonlyMap<string, string>,
  isEmpty: boolean,
  isOver: boolean,
): Buffer | undefined {
  if (isEmpty) return Buffer.alloc(0);
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  if (headers.get("transfer-encoding") === "chunked") return unchunked(rest, isStream);
  // A stream of events has no end; what it begins with is enough.
  if (isStream) return rest;
  const length = headers.get("content-length");
  if (length === undefined) return isOver ? rest : undefined;
  return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : undefined;
}

function unchunked(rest: Buffer, isStream: boolean): Buffer | undefined {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf("\r\n", at);
    if (lineEnd === -1) return isStream ? Buffer.concat(pieces) : undefined;
    const length = Number.parseInt(rest.subarray(at, lineEnd).toString("latin1"), 16);
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(rest.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
}
