const zero = 0x30;

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
    const { bytes } = this;
    let at = this.length;
    for (let index = 0; index < text.length; index++) bytes[at++] = text.charCodeAt(index);
    this.length = at;
  }

  byte(byte: number): void {
    if (this.length === this.bytes.length) this.makeRoom(1);
    this.bytes[this.length++] = byte;
  }

  /** The digits of a safe integer of at least 0, without a string between. */
  whole(number: number): void {
    let places = 1;
    for (let limit = 10; limit <= number; limit *= 10) places++;
    this.makeRoom(places);
    const { bytes, length } = this;
    let left = number;
    for (let at = length + places - 1; at >= length; at--) {
      const rest = Math.floor(left / 10);
      bytes[at] = zero + left - rest * 10;
      left = rest;
    }
    this.length = length + places;
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
