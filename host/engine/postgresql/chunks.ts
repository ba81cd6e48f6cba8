import { listOf, type Pieces } from "@slipway/sdk/runtime/host";

/** Bytes of a row of contents: PostgreSQL keeps a whole parameter and a whole row in memory. */
export const chunkLength = 1024 * 1024;

/** The bytes in chunks; an empty content is one empty chunk. */
export function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  let at = 0;
  do {
    yield bytes.subarray(at, at + chunkLength);
    at += chunkLength;
  } while (at < bytes.length);
}

/** The same for pieces of any size; keeps one chunk in memory. */
export async function* chunksOfPieces(source: AsyncIterable<Pieces>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let isEmpty = true;
  for await (const next of source)
    for (let rest of listOf(next)) {
      while (length + rest.length >= chunkLength) {
        yield Buffer.concat([...pieces, rest.subarray(0, chunkLength - length)]);
        rest = rest.subarray(chunkLength - length);
        pieces = [];
        length = 0;
        isEmpty = false;
      }
      if (rest.length === 0) continue;
      pieces.push(rest);
      length += rest.length;
    }
  if (length > 0 || isEmpty) yield Buffer.concat(pieces);
}
