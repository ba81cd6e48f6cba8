import { trimmedEnd } from "./trimmed-end.js";

/** With an extension of three letters, the longest name that the host keeps as it is. */
const longestStem = 146;
/** Devices of Windows, whatever their extension. */
const device = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(\s*(?:\.|$))/i;

/**
 * A text as a file name without its extension: what some file system or header does not take becomes a blank, and
 * there are no dots or blanks at both ends. Empty where nothing is left.
 */
export function fileStem(text: string): string {
  const fit = text
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[\s.]+/, "")
    .replace(device, "$1_$2");
  // No character has more than two units.
  const characters = [...fit.slice(0, 2 * longestStem)];
  return trimmedEnd(characters.slice(0, longestStem).join(""), " .");
}
