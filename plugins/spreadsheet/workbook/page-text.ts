/** Header and footer lines of printed pages in the format's own codes. */
import { cutText, plainText } from "./cell-text.js";
import type { PageText } from "./sheet.js";

/** The format has 255 characters for the whole line; each part gets its share, doubled ampersands counted. */
const longestPart = 78;

/** Such as `&LOffer&RPage &P of &N`. */
export function pageText({ left = "", center = "", pages = "" }: PageText): string {
  const parts = [
    ["&L", literal(left)],
    ["&C", literal(center)],
    ["&R", numbered(pages)],
  ] as const;
  return parts.map(([code, text]) => (text === "" ? "" : code + text)).join("");
}

function numbered(pattern: string): string {
  // A number, plus or minus right behind the code would belong to it.
  return literal(pattern)
    .replaceAll("{page}", "&P")
    .replaceAll("{pages}", "&N")
    .replace(/(&[PN])(?=[\d+-])/g, "$1 ");
}

function literal(text: string): string {
  const line = plainText(text).replace(/\s+/g, " ").trim();
  let cut = cutText(line, longestPart);
  while (escaped(cut).length > longestPart) cut = cutText(cut, cut.length - 1);
  return escaped(cut);
}

/** A digit at the start would be a font size. */
function escaped(text: string): string {
  const doubled = text.replaceAll("&", "&&");
  return /^\d/.test(doubled) ? ` ${doubled}` : doubled;
}
