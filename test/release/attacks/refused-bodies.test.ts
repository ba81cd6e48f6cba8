/** A body that is refused in the middle costs its sender an error, and nobody else a connection. */
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import t from "tap";
import { Pool } from "undici";
import { project, session } from "../../host/sessions-support.js";
import { type StartedHost, startHost } from "../../start-host.js";

const jsonLimit = 1_000_000;
const projectLimit = 1_100_000;
let host: StartedHost;
let sessionId: string;

interface Body {
  name: string;
  bytes: Buffer;
  encoding?: string;
}

interface Target {
  method: string;
  path: string;
  type: string;
}

/** The first answer on a connection, and what became of the next request there. */
interface Conversation {
  status: number;
  head: string;
  text: string;
  next: "answered" | "announced end" | "deaf";
}

t.before(async () => {
  host = await startHost({ configuration: { limits: { json: jsonLimit, project: projectLimit } } });
  const opened = await fetch(`${host.url}/api/sessions`, { method: "POST", body: JSON.stringify(project()) });
  sessionId = (await session(opened)).sessionId;
});
t.teardown(() => host?.stop());

/** Larger than every buffer between a socket and what reads the body. */
const large = Buffer.alloc(1_500_000, "A");
const noise = randomBytes(1_300_000);

const bodies: readonly Body[] = [
  { name: "text that is no JSON", bytes: Buffer.from(`{${"A".repeat(90_000)}`) },
  { name: "text over the limit", bytes: large },
  { name: "noise over the limit", bytes: noise },
  ...["gzip", "br", "deflate", "zstd", "gzip, gzip", "constructor"].flatMap((encoding) => [
    { name: `text that is no ${encoding}`, bytes: large.subarray(0, 500_000), encoding },
    { name: `noise that is no ${encoding}`, bytes: noise.subarray(0, 500_000), encoding },
  ]),
  { name: "a gzip bomb", bytes: gzipSync(Buffer.alloc(300_000_000)), encoding: "gzip" },
  { name: "a deflate bomb", bytes: deflateSync(Buffer.alloc(300_000_000)), encoding: "deflate" },
  { name: "a brotli bomb", bytes: brotliCompressSync(Buffer.alloc(100_000_000)), encoding: "br" },
  { name: "gzip with noise behind it", bytes: Buffer.concat([gzipSync("{}"), noise]), encoding: "gzip" },
  { name: "gzip with a torn end", bytes: gzipSync(noise).subarray(0, 500_000), encoding: "gzip" },
  { name: "gzip of noise over the limit", bytes: gzipSync(noise), encoding: "gzip" },
];

/**
 * Texts that end a little behind the limit, with a wrong checksum: the reader refuses them for their length while the
 * decompressor has still to find the mistake.
 */
const wrongBehindTheLimit: readonly Body[] = Array.from({ length: 40 }, (_, index) => {
  const bytes = gzipSync(Buffer.alloc(jsonLimit + index * 1500, "A"));
  bytes.writeUInt32LE(0, bytes.length - 8);
  return {
    name: `gzip with a wrong checksum ${index * 1500} bytes behind the limit`,
    bytes,
    encoding: "gzip",
  };
});

const targets = (): readonly Target[] => [
  { method: "POST", path: "/EAIWS/plugins/oex/export", type: "application/json" },
  { method: "POST", path: "/EAIWS/plugins/oex/export", type: "text/xml" },
  { method: "POST", path: "/EAIWS/plugins/oex/nothing", type: "application/json" },
  { method: "GET", path: "/EAIWS/plugins/oex/config.json", type: "application/json" },
  { method: "POST", path: "/api/sessions", type: "application/json" },
  { method: "POST", path: "/api/sessions", type: "application/zip" },
  { method: "POST", path: "/api/sessions", type: "multipart/form-data; boundary=x" },
  { method: "POST", path: "/api/sessions", type: "multipart/form-data" },
  { method: "PUT", path: `/api/sessions/${sessionId}`, type: "application/json" },
  { method: "POST", path: "/api/plugins", type: "application/gzip" },
  { method: "POST", path: "/api/plugins", type: "multipart/form-data; boundary=x" },
  { method: "POST", path: "/files/nothing", type: "application/json" },
  { method: "DELETE", path: "/healthz", type: "application/json" },
];

function requestBytes({ method, path, type }: Target, { bytes, encoding }: Body, chunked: boolean): Buffer {
  const framing = chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${bytes.length}`;
  const coding = encoding === undefined ? "" : `Content-Encoding: ${encoding}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${new URL(host.url).host}\r\nContent-Type: ${type}\r\n${coding}${framing}\r\n\r\n`;
  if (!chunked) return Buffer.concat([Buffer.from(head), bytes]);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 60_000) {
    const piece = bytes.subarray(at, at + 60_000);
    chunks.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n"));
  }
  return Buffer.concat([Buffer.from(head), ...chunks, Buffer.from("0\r\n\r\n")]);
}

/** Sends a request as a whole and, unless the answer says that the connection ends, another one behind it. */
async function conversation(bytes: Buffer): Promise<Conversation> {
  const { hostname, port } = new URL(host.url);
  const socket = connect(Number(port), hostname);
  const received = new Received(socket);
  try {
    // What is refused at once may close before all of it is sent.
    socket.write(bytes);
    const { head, text } = await Promise.race([received.answer(), received.late()]);
    const status = Number(head.slice(9, 12));
    if (/^connection: close\r?$/im.test(head)) {
      await Promise.race([received.ended, received.late()]);
      return { status, head, text, next: "announced end" };
    }
    socket.write(`GET /healthz HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    const next = await Promise.race([received.answer(), received.late()]);
    return { status, head, text, next: next.head.startsWith("HTTP/1.1 200 ") ? "answered" : "deaf" };
  } finally {
    socket.destroy();
  }
}

/** The answers on a connection, one after the other. */
class Received {
  readonly ended: Promise<void>;
  private bytes = "";
  private changed: () => void = () => undefined;

  constructor(socket: Socket) {
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      this.bytes += text;
      this.changed();
    });
    this.ended = new Promise((resolve) => {
      socket.once("close", () => resolve());
      // Closing while the rest is still on its way may show as an error here.
      socket.on("error", () => resolve());
    });
    socket.once("end", () => this.changed());
  }

  async answer(): Promise<{ head: string; text: string }> {
    for (;;) {
      const end = this.bytes.indexOf("\r\n\r\n");
      const head = this.bytes.slice(0, end);
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      if (end >= 0 && this.bytes.length >= end + 4 + length) {
        const text = this.bytes.slice(end + 4, end + 4 + length);
        this.bytes = this.bytes.slice(end + 4 + length);
        return { head, text };
      }
      await new Promise<void>((resolve, reject) => {
        this.changed = resolve;
        void this.ended.then(() => reject(new Error(`The connection ended after: ${this.bytes}`)));
      });
    }
  }

  /** Rejects long after a connection that hears would have answered. */
  late(): Promise<never> {
    return new Promise((_resolve, reject) => {
      setTimeout(() => reject(new Error(`No answer, but: ${this.bytes.slice(0, 200)}`)), 60_000).unref();
    });
  }
}

t.test("after every error while reading, the connection hears again or says that it ends", async (t) => {
  const cases = targets().flatMap((target) =>
    [...bodies, ...(target.path.endsWith("/export") ? wrongBehindTheLimit : [])].flatMap((body) =>
      [false, true].map((chunked) => ({ target, body, chunked })),
    ),
  );
  const wrong: string[] = [];
  const queue = cases.values();
  const worker = async (): Promise<void> => {
    for (const { target, body, chunked } of queue) {
      const { status, text, next } = await conversation(requestBytes(target, body, chunked)).catch(
        (error: unknown) => ({ status: 0, text: String(error), next: "deaf" }),
      );
      const framing = chunked ? "chunked" : "with its length";
      const name = `${target.method} ${target.path} ${target.type}, ${body.name}, ${framing}`;
      if (next === "deaf") wrong.push(`${name}: ${status} ${text.slice(0, 100)}`);
      else if (status >= 400 && JSON.parse(text).code !== status)
        wrong.push(`${name}: no error object: ${text.slice(0, 100)}`);
    }
  };
  await Promise.all(Array.from({ length: 12 }, worker));
  t.comment(`${cases.length} cases`);
  t.strictSame(wrong, []);
});

t.test("clients behind a pool of connections do not wait for those whose bodies were refused", async (t) => {
  const pool = new Pool(host.url, { connections: 10, pipelining: 1 });
  t.teardown(() => pool.destroy());
  const refused = async (chunked: boolean): Promise<number> => {
    const { statusCode, body } = await pool.request({
      method: "POST",
      path: "/EAIWS/plugins/oex/export",
      headers: { "content-type": "application/json", ...(chunked ? {} : { "content-encoding": "gzip" }) },
      body: chunked ? Readable.from([large]) : large.subarray(0, 500_000),
    });
    await body.dump();
    return statusCode;
  };
  const statuses = await Promise.all(Array.from({ length: 20 }, (_, index) => refused(index % 2 === 0)));
  t.strictSame([...new Set(statuses)].sort(), [400, 413]);
  const others = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const { statusCode, body } = await pool.request({
        method: "GET",
        path: "/healthz",
        headersTimeout: 60_000,
      });
      await body.dump();
      return statusCode;
    }),
  );
  t.strictSame([...new Set(others)], [200]);
});
