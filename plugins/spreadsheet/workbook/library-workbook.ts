/** Wraps the library that writes the parts of a workbook, except pictures, which it can neither describe nor stream. */
import { Writable } from "node:stream";
import type ExcelJS from "@jsreport/exceljs";
import type { AddWorksheetOptions, Worksheet } from "@jsreport/exceljs";
import { fromBufferPromise } from "yauzl";
import { cutText, plainText } from "./cell-values.js";
import type { Workbook } from "./sheet.js";

/** Compression level of the copy that stays in memory until the end: fast rather than small. */
const level = 1;
const longestProperty = 255;
const sheetPart = /^xl\/worksheets\/[^/]*\.xml$/;

/** A part of the package, such as "xl/styles.xml". */
export interface TextPart {
  readonly name: string;
  readonly text: string;
}

type DescribedWorkbook = Pick<Workbook, "title" | "author" | "created">;

/**
 * One workbook of the library. The library packs a file without back-pressure. The text of each sheet is therefore
 * taken as it is written (`SheetText`), and only the small parts are read from that file at the end.
 */
export class LibraryWorkbook {
  readonly #packed: Buffer[] = [];
  readonly #writer: ExcelJS.stream.xlsx.WorkbookWriter;

  /** The library is large, so it is loaded only when a workbook is requested. */
  static async begin(workbook: DescribedWorkbook): Promise<LibraryWorkbook> {
    const { default: library } = await import("@jsreport/exceljs");
    return new LibraryWorkbook(library.stream.xlsx.WorkbookWriter, workbook);
  }

  private constructor(
    Writer: typeof ExcelJS.stream.xlsx.WorkbookWriter,
    { title, author = "", created }: DescribedWorkbook,
  ) {
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#packed.push(chunk);
        done();
      },
    });
    this.#writer = new Writer({
      stream,
      useStyles: true,
      useSharedStrings: false,
      zip: { zlib: { level } },
    });
    // Without this the library names itself.
    this.#writer.creator = property(author);
    this.#writer.lastModifiedBy = property(author);
    this.#writer.title = property(title);
    this.#writer.created = created;
    this.#writer.modified = created;
  }

  /** The next sheet; its part is `xl/worksheets/sheet1.xml` and so on. */
  addSheet(name: string, options: Partial<AddWorksheetOptions>): Worksheet {
    return this.#writer.addWorksheet(name, options);
  }

  /** All parts except sheets. Call after all sheets are written. */
  async *finish(): AsyncGenerator<TextPart> {
    await this.#writer.commit();
    const archive = await fromBufferPromise(Buffer.concat(this.#packed.splice(0)), { lazyEntries: true });
    for await (const entry of archive.eachEntry()) {
      if (sheetPart.test(entry.fileName)) continue;
      const chunks: Buffer[] = [];
      for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(Buffer.from(chunk));
      yield { name: entry.fileName, text: Buffer.concat(chunks).toString("utf8") };
    }
  }
}

function property(text: string): string {
  return cutText(plainText(text).replace(/\s+/g, " ").trim(), longestProperty);
}
