/** Links of the report itself: what a template or its data put into an `href`. */
import { internalDomain } from "../print/internal-domain.js";
import { linkAddress, mayBeFollowed } from "./link-address.js";
import type { PdfPage } from "./page-tree.js";
import type { PdfFile } from "./pdf-file.js";

/** Takes the target from links that would run or open something, and from those that lead to where only the host is. */
export function cleanLinks(file: PdfFile, pages: readonly PdfPage[]): void {
  for (const { dictionary } of pages) {
    for (const each of file.array(dictionary.entries.get("Annots")) ?? []) {
      const annotation = file.dictionary(each);
      const action = annotation?.entries.get("A");
      if (annotation === undefined || action === undefined) continue;
      const address = linkAddress(file, action);
      if (address !== undefined && !(mayBeFollowed(address) && !isInternal(address)))
        annotation.entries.delete("A");
    }
  }
}

/** Relative addresses, which the browser has completed. */
function isInternal(address: string): boolean {
  return URL.canParse(address) && new URL(address).hostname.endsWith(`.${internalDomain}`);
}
