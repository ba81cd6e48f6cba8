/**
 * Entries of an OBK without a member in the project document. They are assets with the key `obk:{name}`, so that the
 * same entries are in the file that is written.
 */
import type { Asset } from "../../project/document.js";
import { isOtherEntry, otherEntryScheme } from "../obx/other-entry-key.js";
import type { ReadWarnings } from "../obx/read-warnings.js";
import type { ObkEntries } from "./obk-entries.js";

const mostEntries = 1000;
/** Uncompressed, of all of them. */
const mostBytes = 32 * 1024 * 1024;
const longestName = 500;

/**
 * Reads all entries but those that are `known`. One that is damaged, or beyond 1,000 entries or 32 MiB, produces a warning:
 * the project is whole without it.
 */
export async function readOtherEntries(
  entries: ObkEntries,
  known: ReadonlySet<string | undefined>,
  warnings: ReadWarnings,
): Promise<[key: string, asset: Asset][]> {
  const read: [string, Asset][] = [];
  let left = mostBytes;
  for (const name of entries.others)
    warnings.add("", `an entry beside the folder of the project is not read: ${name.slice(0, 100)}`);
  for (const name of entries.names) {
    if (known.has(name)) continue;
    const bytes = entries.sizeOf(name);
    if (name.length > longestName || read.length === mostEntries || bytes > left) {
      warnings.add("", `an entry that is not read is not kept either: ${name.slice(0, 100)}`);
      continue;
    }
    left -= bytes;
    try {
      const content = (await entries.content(name)) ?? new Uint8Array();
      const base64 = Buffer.from(content).toString("base64");
      read.push([otherEntryScheme + name, { mediaType: "application/octet-stream", base64 }]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      warnings.add("", `an entry that is not read is not kept either: ${reason}`);
    }
  }
  return read;
}

/**
 * The name of the entry that an asset was; undefined for a picture, and for a name that a container must not have, because
 * the key may come from anyone.
 */
export function otherEntryName(key: string): string | undefined {
  if (!isOtherEntry(key)) return undefined;
  const name = key.slice(otherEntryScheme.length);
  const isSafe = name.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  return isSafe && name.length <= longestName && !/[\\\p{Cc}]|^[A-Za-z]:/u.test(name) ? name : undefined;
}
