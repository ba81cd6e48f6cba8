import { ZipContainer, type ZipLimits } from "../../obx/zip-container.js";
import type { TestFile } from "../test-file.js";
import { ContentFile } from "./content-file.js";
import { mediaTypeOfName } from "./media-type-of-name.js";
import { readerFault } from "./reader-fault.js";

/** What a test may unpack. Packed text may be many times smaller than itself, so the ratio is that of nothing but bombs. */
const limits: ZipLimits = {
  entries: 100_000,
  entryBytes: 512 * 1024 * 1024,
  totalBytes: 1024 * 1024 * 1024,
  ratio: 1000,
};

/**
 * The files of a ZIP by their names, in the order of its directory; folders are left out. Rejects for bytes that are no
 * ZIP, two files of one name, names that point outside of the archive, encrypted files, and more than 512 MB in one file or
 * 1 GB in all.
 */
export async function readArchive(bytes: Uint8Array): Promise<ReadonlyMap<string, TestFile>> {
  try {
    const zip = await ZipContainer.open(bytes, limits);
    try {
      const files = new Map<string, TestFile>();
      for (const name of zip.names) {
        const content = name.endsWith("/") ? undefined : await zip.content(name);
        if (content === undefined) continue;
        files.set(name, new ContentFile({ name, mediaType: mediaTypeOfName(name), bytes: content }));
      }
      return files;
    } finally {
      zip.close();
    }
  } catch (error) {
    throw readerFault(error);
  }
}
