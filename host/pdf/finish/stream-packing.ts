import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { type PdfStream, pdfDictionary, pdfName } from "./pdf-object.js";

const deflated = promisify(deflate);

/** Each takes a quarter of a megabyte while it is packed, and its content. */
const mostAtOnce = 16;
/** Most contents of pages are packed into one piece of this size. */
const pieceBytes = 32 * 1024;

/** Packs streams on Node's own threads while the work goes on. */
export class StreamPacking {
  private readonly running = new Set<Promise<void>>();

  /** `level` of zlib. */
  constructor(private readonly level: number) {}

  /** A stream that has its bytes when all are `done`. */
  stream(content: Uint8Array): PdfStream {
    const dictionary = pdfDictionary({ Filter: pdfName("FlateDecode") });
    const stream: PdfStream = { kind: "stream", dictionary, data: new Uint8Array() };
    const packing = deflated(content, { level: this.level, chunkSize: pieceBytes }).then((data) => {
      stream.data = data;
      this.running.delete(packing);
    });
    packing.catch(() => undefined); // whoever awaits it later gets the error
    this.running.add(packing);
    return stream;
  }

  /** Waits until there is room for another stream. */
  async room(): Promise<void> {
    while (this.running.size >= mostAtOnce) await Promise.race(this.running);
  }

  async done(): Promise<void> {
    await Promise.all(this.running);
  }
}
