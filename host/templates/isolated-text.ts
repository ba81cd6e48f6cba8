/** Keeps a text in its order within a text of the other direction of writing (Unicode Standard Annex 9). */

const firstStrongIsolate = "\u2068";
const popDirectionalIsolate = "\u2069";

/**
 * The text within marks that isolate it, if it goes into a text of that direction. Without marks in left-to-right text
 * if it has no right-to-left letter, because marks would only make searches harder.
 */
export function isolated(text: string, direction: "ltr" | "rtl"): string {
  const isMarked = text !== "" && (direction === "rtl" || hasRightToLeft(text));
  return isMarked ? firstStrongIsolate + text + popDirectionalIsolate : text;
}

/** Whether a text has letters of right-to-left scripts, or marks that start right-to-left text. */
function hasRightToLeft(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x590 && isRightToLeft(unit)) return true;
  }
  return false;
}

/** A UTF-16 code unit in a block of right-to-left scripts, or the first one of their blocks beyond U+FFFF. */
function isRightToLeft(unit: number): boolean {
  return (
    (unit >= 0x590 && unit <= 0x8ff) ||
    (unit >= 0xfb1d && unit <= 0xfdff) ||
    (unit >= 0xfe70 && unit <= 0xfefe) ||
    unit === 0x200f ||
    unit === 0x202b ||
    unit === 0x202e ||
    unit === 0x2067 ||
    unit === 0xd802 ||
    unit === 0xd803 ||
    unit === 0xd83a ||
    unit === 0xd83b
  );
}
