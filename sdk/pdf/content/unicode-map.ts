/** Parses the ToUnicode map of a font. */
import { type ContentOperand, contentOperands } from "./content-operands.js";
import { ContentOperators } from "./content-operators.js";

/** Maximum number of codes of a font. */
const codes = 0x10000;
/** Maximum bytes of the text of one code; a ligature has only a few characters. */
const longestText = 512;

/** Splits a string into codes of `width` bytes. */
export function codesOf(bytes: Uint8Array, width: 1 | 2): number[] {
  const codes: number[] = [];
  for (let at = 0; at < bytes.length; at += width)
    codes.push(width === 1 ? (bytes[at] ?? 0) : ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0));
  return codes;
}

/**
 * Characters by code, from the decoded `bfchar` and `bfrange` sections of a ToUnicode map (ISO 32000-1,
 * 9.10.3).
 */
export function unicodeMap(bytes: Uint8Array): Map<number, string> {
  const reading = new MapReading();
  const operators = new ContentOperators(bytes);
  while (operators.next()) {
    const { operator } = operators;
    if (operator !== "endbfchar" && operator !== "endbfrange") continue;
    const operands = contentOperands(bytes, operators.operands, operators.start);
    const step = operator === "endbfchar" ? 2 : 3;
    for (let index = 0; index + step <= operands.length; index += step)
      reading.add(operands[index], operands[index + step - 2], operands[index + step - 1]);
  }
  return reading.characters;
}

class MapReading {
  readonly characters = new Map<number, string>();
  /** A map may define codes repeatedly; this limits the total. */
  private left = 4 * codes;

  /** Adds a range of codes, with the text of the first code or a list of texts for all of them. */
  add(first?: ContentOperand, last?: ContentOperand, texts?: ContentOperand): void {
    if (!(first instanceof Uint8Array && last instanceof Uint8Array)) return;
    const start = numberOf(first);
    const count = Math.min(numberOf(last) - start + 1, codes);
    for (let index = 0; index < count && this.left > 0; index++, this.left--) {
      const text = Array.isArray(texts) ? texts[index] : texts;
      if (text instanceof Uint8Array)
        this.characters.set(start + index, textOf(text, Array.isArray(texts) ? 0 : index));
    }
  }
}

function numberOf(bytes: Uint8Array): number {
  return bytes.reduce((number, byte) => number * 256 + byte, 0);
}

/** Decodes UTF-16; `added` is added to the last code unit. */
function textOf(bytes: Uint8Array, added: number): string {
  const units: number[] = [];
  for (let at = 0; at + 1 < Math.min(bytes.length, longestText); at += 2)
    units.push(((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0));
  if (units.length > 0) units.push((units.pop() ?? 0) + added);
  return String.fromCharCode(...units);
}
