import { ZipContainer, type ZipLimits } from "../../formats/obk/zip-container.js";
import { errorMessage } from "../../schema/errors.js";
import { readerFault } from "../inspection/optional-peer.js";
import type { PdfContent } from "../inspection/pdf-content.js";
import { readPdf } from "../inspection/read-pdf.js";
import { readXml, type XmlElement } from "../inspection/read-xml.js";
import type { TestFile } from "../test-answer.js";

/** Limits for unpacking. Text may compress many times over, so the ratio only stops decompression bombs. */
const limits: ZipLimits = {
  entries: 100_000,
  entryBytes: 512 * 1024 * 1024,
  totalBytes: 1024 * 1024 * 1024,
  ratio: 1000,
};

const mediaTypes: ReadonlyMap<string, string> = new Map([
  ["csv", "text/csv; charset=utf-8"],
  ["gif", "image/gif"],
  ["html", "text/html; charset=utf-8"],
  ["jpeg", "image/jpeg"],
  ["jpg", "image/jpeg"],
  ["json", "application/json"],
  ["obx", "application/xml"],
  ["pdf", "application/pdf"],
  ["png", "image/png"],
  ["svg", "image/svg+xml"],
  ["txt", "text/plain; charset=utf-8"],
  ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["xml", "application/xml"],
  ["zip", "application/zip"],
]);

/** A file in memory. Errors about its format include its name. */
export class ContentFile implements TestFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;

  constructor(file: { name: string; mediaType: string; bytes: Uint8Array }) {
    this.name = file.name;
    this.mediaType = file.mediaType;
    this.bytes = file.bytes;
  }

  text(): string {
    return this.readAs("text in UTF-8", () => new TextDecoder("utf-8", { fatal: true }).decode(this.bytes));
  }

  json(): unknown {
    const text = this.text();
    return this.readAs("JSON", (): unknown => JSON.parse(text));
  }

  xml(): XmlElement {
    return this.readAs("XML", () => readXml(this.bytes));
  }

  async archive(): Promise<ReadonlyMap<string, TestFile>> {
    return readArchive(this.bytes).catch((error: unknown) => this.refuse("a ZIP archive", error));
  }

  async pdf(): Promise<PdfContent> {
    return readPdf(this.bytes).catch((error: unknown) => this.refuse("a PDF", error));
  }

  private readAs<T>(what: string, read: () => T): T {
    try {
      return read();
    } catch (error) {
      return this.refuse(what, error);
    }
  }

  private refuse(what: string, error: unknown): never {
    const reason = errorMessage(error);
    throw new Error(`${this.name} (${this.mediaType}) cannot be read as ${what}: ${reason}`, {
      cause: error,
    });
  }
}

/**
 * The files of a ZIP by name, in the order of its directory; folders are left out. Rejects for invalid ZIP
 * files, duplicate names, names that point outside the archive, encrypted files, and more than 512 MB in one
 * file or 1 GB in total.
 */
export async function readArchive(bytes: Uint8Array): Promise<ReadonlyMap<string, TestFile>> {
  const files = await unpacked(bytes);
  return new Map(
    files.map(([name, content]) => {
      const mediaType = mediaTypeOfName(name);
      return [name, new ContentFile({ name, mediaType, bytes: content })];
    }),
  );
}

/** The media type of an archived file, judged by its name. */
function mediaTypeOfName(name: string): string {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return mediaTypes.get(ending) ?? "application/octet-stream";
}

/**
 * Name and bytes of each file of a ZIP, in the order of its directory, without folders. Rejects like
 * `readArchive`.
 */
async function unpacked(zipped: Uint8Array): Promise<[name: string, bytes: Uint8Array][]> {
  try {
    const zip = await ZipContainer.open(zipped, { limits });
    try {
      const files: [string, Uint8Array][] = [];
      for (const name of zip.names) {
        const bytes = name.endsWith("/") ? undefined : await zip.content(name);
        if (bytes !== undefined) files.push([name, bytes]);
      }
      return files;
    } finally {
      zip.close();
    }
  } catch (error) {
    throw readerFault(error);
  }
}
