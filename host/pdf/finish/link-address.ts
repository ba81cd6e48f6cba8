/** Where the links of a PDF lead. */
import type { PdfFile } from "./pdf-file.js";
import { isKind, type PdfObject } from "./pdf-object.js";
import { textOf } from "./pdf-text.js";

const webSchemes = new Set(["http", "https", "mailto", "tel"]);

/** The address of an action that is a link; viewers pass over blanks and control characters in it. */
export function linkAddress(file: PdfFile, action: PdfObject): string | undefined {
  const link = file.resolve(file.dictionary(action)?.entries.get("URI"));
  return isKind(link, "string") ? textOf(link).replace(/[\0-\x20\x7f-\xa0]/g, "") : undefined;
}

/** Whether it leads to the web or to somebody: not `javascript:`, not `file:`, and `\\server` is a file too. */
export function mayBeFollowed(address: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1];
  return scheme === undefined ? !address.startsWith("\\") : webSchemes.has(scheme.toLowerCase());
}
