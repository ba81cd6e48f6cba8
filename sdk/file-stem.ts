import { trimmedEnd } from "./trimmed-end.js";

/** With a three-letter extension, the longest name that the host keeps unchanged. */
const longestStem = 146;
/** Device names of Windows, with any extension. */
const device = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(\s*(?:\.|$))/i;

/**
 * Converts a text to a file name without extension: characters that a file system or header may refuse become blanks,
 * and leading and trailing dots and blanks are removed. Empty if nothing is left.
 */
export function fileStem(text: string): string {
  const fit = text
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[\s.]+/, "")
    .replace(device, "$1_$2");
  // A character has at most two UTF-16 units.
  const characters = [...fit.slice(0, 2 * longestStem)];
  return trimmedEnd(characters.slice(0, longestStem).join(""), " .");
}
