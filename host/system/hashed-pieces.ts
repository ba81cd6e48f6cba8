import { createHash } from "node:crypto";

/**
 * Passes pieces on as they are. After the last one `ended` gets the SHA-256 of all of them, hexadecimal; what it throws ends
 * the reading.
 */
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
