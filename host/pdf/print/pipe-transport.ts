import { constants } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import type { ConnectionTransport } from "puppeteer-core";

/**
 * The DevTools protocol over two pipes: JSON messages, each ended by a zero byte. A browser that sends more than a string
 * can hold, as a PDF of hundreds of megabytes is, is not listened to any more.
 */
export class PipeTransport implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  /** Settles when the browser cannot be spoken to any more. */
  readonly ended: Promise<void>;
  private parts: Buffer[] = [];
  private length = 0;
  private closed = false;
  private end = (): void => {};

  constructor(
    private readonly toBrowser: Writable,
    fromBrowser: Readable,
  ) {
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
    fromBrowser.on("data", (data: Buffer) => this.receive(data));
    fromBrowser.on("close", () => this.close());
    // A browser that dies tears its pipes; its end is reported once, by closing.
    fromBrowser.on("error", () => this.close());
    toBrowser.on("error", () => this.close());
  }

  send(message: string): void {
    if (!this.closed) this.toBrowser.write(`${message}\0`);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.toBrowser.end();
    this.onclose?.();
    this.end();
  }

  private receive(data: Buffer): void {
    let start = 0;
    for (let end = data.indexOf(0); end !== -1; end = data.indexOf(0, start)) {
      this.keep(data.subarray(start, end));
      if (this.closed) return;
      const message = this.parts.length === 1 ? this.parts[0] : Buffer.concat(this.parts);
      this.parts = [];
      this.length = 0;
      start = end + 1;
      if (message !== undefined) this.onmessage?.(message.toString("utf8"));
    }
    if (start < data.length) this.keep(data.subarray(start));
  }

  private keep(part: Buffer): void {
    this.length += part.length;
    if (this.length > constants.MAX_STRING_LENGTH) this.close();
    if (this.closed) this.parts = [];
    else this.parts.push(part);
  }
}
