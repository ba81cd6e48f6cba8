import { ZipContainer, type ZipLimits } from "../../obx/zip-container.js";
import { readerFault } from "./reader-fault.js";

/** What a test may unpack. Packed text may be many times smaller than itself, so the ratio is that of nothing but bombs. */
const limits: ZipLimits = {
  entries: 100_000,
  entryBytes: 512 * 1024 * 1024,
  totalBytes: 1024 * 1024 * 1024,
  ratio: 1000,
};

/** Name and bytes of each file of a ZIP, in the order of its directory, without folders. Rejects as `readArchive` does. */
export async function unpacked(zipped: Uint8Array): Promise<[name: string, bytes: Uint8Array][]> {
  try {
    const zip = await ZipContainer.open(zipped, limits);
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
