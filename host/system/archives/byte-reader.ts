/** Gives the bytes of a stream in the portions that its reader asks for. */
export class ByteReader {
  private chunk: Buffer = Buffer.alloc(0);
  private readonly source: AsyncIterator<Buffer>;

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** At least one byte and at most `most`; undefined at the end. */
  async upTo(most: number): Promise<Buffer | undefined> {
    while (this.chunk.length === 0) {
      const next = await this.source.next();
      if (next.done === true) return undefined;
      this.chunk = next.value;
    }
    const piece = this.chunk.subarray(0, most);
    this.chunk = this.chunk.subarray(piece.length);
    return piece;
  }

  /** So many bytes; fewer where the stream ends before. */
  async exactly(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      const piece = await this.upTo(missing);
      if (piece === undefined) break;
      pieces.push(piece);
      missing -= piece.length;
    }
    return Buffer.concat(pieces);
  }
}
