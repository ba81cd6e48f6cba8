/** The text of a sheet's part, taken from the library while it writes. */
import { Stream, Writable } from "node:stream";
import type { Worksheet } from "@jsreport/exceljs";

const end = "</worksheet>";
const wrongOrder = /(<pageSetUpPr[^<>]*>)(<outlinePr[^<>]*>)/;

/** Collects blocks of 64 kB, for who asks for them before the next row is written. */
export class SheetText {
  #blocks: Buffer[] = [];
  #hasBegun = false;

  /** Of a sheet that has no rows yet. */
  constructor(sheet: Worksheet) {
    // The streaming writer's sheets have it, but the library has no types for them.
    if (!("stream" in sheet) || !(sheet.stream instanceof Stream)) {
      throw new Error("The spreadsheet library does not give the text of its sheets.");
    }
    sheet.stream.pipe(
      new Writable({
        write: (block: Buffer, _encoding, done) => {
          this.#blocks.push(this.#hasBegun ? block : inOrder(block));
          this.#hasBegun = true;
          done();
        },
      }),
    );
  }

  /** What is written since the last time. */
  *take(): Generator<Uint8Array> {
    for (const block of this.#blocks.splice(0)) yield block;
  }

  /** The rest of a sheet that is committed, with elements that the library cannot write as its last ones. */
  takeLast(elements: string): Uint8Array {
    const text = Buffer.concat(this.#blocks.splice(0)).toString("latin1");
    if (!text.endsWith(end))
      throw new Error(`The spreadsheet library ends a sheet with "${text.slice(-20)}".`);
    return Buffer.from(text.slice(0, -end.length) + elements + end, "latin1");
  }
}

/** The format has the outline's properties before those of pages; Excel refuses a file that does not. */
function inOrder(head: Buffer): Buffer {
  return Buffer.from(head.toString("latin1").replace(wrongOrder, "$2$1"), "latin1");
}
