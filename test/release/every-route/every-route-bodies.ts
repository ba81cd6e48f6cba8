/** Bodies that nobody expects: none, broken, deep, large, packed. */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { nested } from "./every-route-values.js";

/** Bodies as a whole. */
export const nastyBodies: readonly (string | Uint8Array)[] = [
  "",
  " ",
  "{",
  "}",
  "[",
  "nonsense",
  '"text"',
  "1",
  "null",
  "true",
  "[]",
  "{}{}",
  '{"a":1}\n{"a":1}',
  "\ufeff{}",
  "\u0000",
  "{'a':1}",
  "{a:1}",
  '{"a":1,}',
  '{"a":NaN}',
  '{"a":"\u0000"}',
  '{"a":"\\ud800"}',
  '{"\\u005f_proto__":{"sessionId":1},"constructor":{"prototype":{"polluted":1}}}',
  '{"__proto__":{"sessionId":1}}',
  "// comment\n{}",
  "a=b&c=d",
  "<a/>",
  '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;&b;&b;">]><a>&d;</a>',
  "PK\u0003\u0004",
  nested(1000, "[", "]"),
  nested(20_000, "[", "]"),
  nested(5000, '{"a":', "}", "1"),
  "[".repeat(30_000),
  `{${Array.from({ length: 3000 }, (_, index) => `"k${index}":1`).join(",")}}`,
  Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from("{}", "utf16le"),
  Buffer.from([0x1f, 0x8b, 0x08, 0x00]),
];

/** Large ones, which take long enough that few are sent. */
export const largeBodies: readonly string[] = [
  JSON.stringify("x".repeat(1_000_000)),
  `{"sessionId":${JSON.stringify("x".repeat(1_000_000))}}`,
  `{"version":"${"x".repeat(60_000)}"}`,
  `{"templateKey":"${"\\u0000".repeat(100_000)}"}`,
  `{"items":[${'"",'.repeat(200_000)}""]}`,
  nested(400_000, "[", "]"),
];

const bomb = Buffer.alloc(40_000_000);

/** Bodies under an encoding that is not theirs, or that hides how large they are. */
export const packedBodies: readonly { encoding: string; body: Uint8Array }[] = [
  { encoding: "gzip", body: gzipSync(bomb) },
  { encoding: "br", body: brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }) },
  { encoding: "gzip", body: gzipSync("{}").subarray(0, 12) },
  { encoding: "gzip", body: Buffer.from("{}") },
  { encoding: "gzip", body: Buffer.concat([gzipSync("{}"), Buffer.from("more")]) },
  { encoding: "br", body: Buffer.from("{}") },
  { encoding: "deflate", body: Buffer.from("{}") },
  { encoding: "zstd", body: Buffer.from("{}") },
  { encoding: "GZIP", body: gzipSync("{}") },
  { encoding: "gzip, gzip", body: gzipSync(gzipSync("{}")) },
  { encoding: "__proto__", body: Buffer.from("{}") },
  { encoding: "constructor", body: Buffer.from("{}") },
  { encoding: "x".repeat(3000), body: Buffer.from("{}") },
];
