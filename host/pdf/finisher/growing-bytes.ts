/** Bytes to which more are added. */
export class GrowingBytes {
  /** Valid up to `length`. */
  bytes: Buffer;
  length = 0;

  constructor(room: number) {
    this.bytes = Buffer.allocUnsafe(room);
  }

  /** One character per byte. */
  text(text: string): void {
    this.makeRoom(text.length);
    for (let index = 0; index < text.length; index++) this.bytes[this.length++] = text.charCodeAt(index);
  }

  byte(byte: number): void {
    if (this.length === this.bytes.length) this.makeRoom(1);
    this.bytes[this.length++] = byte;
  }

  /** What was added so far, as a copy of its own; then it starts anew. */
  take(): Buffer {
    const taken = Buffer.from(this.bytes.subarray(0, this.length));
    this.length = 0;
    return taken;
  }

  private makeRoom(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
