/** What is hardly HTTP any more; and requests that say two things at once. */
import type { Asked } from "./every-route-asked.js";

const broken = [400, 405, 408, 413, 417, 431];

/** Each is answered, or its connection ends. */
export function brokenRequests(key: string): Asked[] {
  const head = `Host: localhost\r\nAuthorization: Bearer ${key}\r\n`;
  const json = `${head}Content-Type: application/json\r\n`;
  const look = `POST /api/plugins/nothing/disable HTTP/1.1\r\n${json}`;
  const raw = (bytes: string | Uint8Array, only: readonly number[] = broken): Asked => ({
    method: "GET",
    target: "",
    bytes,
    only,
    leave: "end",
    mayClose: true,
  });
  return [
    raw(""),
    raw("\r\n\r\n\r\n"),
    raw("nonsense\r\n\r\n"),
    raw("GET\r\n\r\n"),
    raw("GET /api/access\r\n\r\n"),
    raw("GET /api/access HTTP/0.9\r\n\r\n"),
    raw("GET /api/access HTTP/9.9\r\nHost: a\r\n\r\n"),
    raw("get /api/access HTTP/1.1\r\nHost: a\r\n\r\n"),
    raw("G\u0000T /api/access HTTP/1.1\r\nHost: a\r\n\r\n"),
    raw("GET  /api/access HTTP/1.1\r\nHost: a\r\n\r\n", [...broken, 200]),
    raw("GET /heal thz HTTP/1.1\r\nHost: a\r\n\r\n"),
    raw("GET /\u0000 HTTP/1.1\r\nHost: a\r\n\r\n"),
    raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    raw("CONNECT localhost:1 HTTP/1.1\r\nHost: localhost:1\r\n\r\n"),
    raw("GET /api/access HTTP/1.1\r\n\r\n"),
    raw("GET /api/access HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
    raw("GET /api/access HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n"),
    raw("GET /api/access HTTP/1.1\r\nHost : a\r\n\r\n"),
    raw("GET /api/access HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n"),
    raw("GET /api/access HTTP/1.1\r\nHost: a\r\nX: a\u0000b\r\n\r\n"),
    raw("GET /api/access HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n"),
    raw("GET /api/access HTTP/1.1\r\nHost: a\r\n: empty\r\n\r\n"),
    raw("GET /api/access HTTP/1.1\nHost: a\n\n"),
    raw("GET /api/access HTTP/1.1\r\nHost: a\r\nExpect: nonsense\r\n\r\n"),
    raw(`GET /api/access HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(40_000)}\r\n\r\n`),
    raw(`GET /api/access HTTP/1.1\r\nHost: a\r\n${"X: y\r\n".repeat(5000)}\r\n`, [...broken, 200]),
    raw(`GET /${"x".repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, [414, 431]),
    raw(`${look}Content-Length: -1\r\n\r\n{}`),
    raw(`${look}Content-Length: +2\r\n\r\n{}`),
    raw(`${look}Content-Length: 0x2\r\n\r\n{}`),
    raw(`${look}Content-Length: 2e0\r\n\r\n{}`),
    raw(`${look}Content-Length: 2, 2\r\n\r\n{}`),
    raw(`${look}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`),
    raw(`${look}Content-Length: 99999999999999999999999\r\n\r\n{}`),
    raw(`${look}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
    raw(`${look}Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
    raw(`${look}Transfer-Encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
    raw(`${look}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, [...broken, 404]),
    raw(`${look}Transfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n`),
    raw(`${look}Transfer-Encoding: chunked\r\n\r\n2;${"x".repeat(40_000)}\r\n{}\r\n0\r\n\r\n`),
    raw(`${look}Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n{}`),
    raw(`${look}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Trailer: a\r\n\r\n`, [404]),
    raw(`${look}Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n`),
    raw(Buffer.alloc(5000, 0xff)),
    raw(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])),
    // Two at once: the second is one of its own, or nothing.
    raw(`GET /api/access HTTP/1.1\r\nHost: a\r\n\r\nGET /api/plugins HTTP/1.1\r\nHost: a\r\n\r\n`, [200]),
    // Who stops in the middle, and waits.
    { ...raw(`${look}Content-Length: 100\r\n\r\n{`), only: [408] },
    { ...raw("GET /api/access HTTP/1.1\r\nHost: "), only: [408] },
  ].map((question) => {
    const isWaiting = question.only?.[0] === 408;
    if (!isWaiting) return question;
    const { leave: _, mayClose: __, ...waiting } = question;
    return waiting;
  });
}
