import { createHash } from "node:crypto";

/** Yields the pieces, then calls `ended` with their hexadecimal SHA-256; its error reaches the reader. */
export async function* hashedPieces(
  pieces: AsyncIterable<Uint8Array>,
  ended: (sha256: string) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  ended(hash.digest("hex"));
}
