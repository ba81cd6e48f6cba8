/** What the codes of a font mean, as its ToUnicode map tells. */
import { type ContentOperand, contentOperands } from "./content-operands.js";
import { ContentOperators } from "./content-operators.js";

/** More codes than this has no font. */
const codes = 0x10000;
/** Bytes of what one code may mean: a ligature has a few characters. */
const longestText = 512;

/** Codes of a string whose font has codes of so many bytes. */
export function codesOf(bytes: Uint8Array, width: 1 | 2): number[] {
  const codes: number[] = [];
  for (let at = 0; at < bytes.length; at += width)
    codes.push(width === 1 ? (bytes[at] ?? 0) : ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0));
  return codes;
}

/** Characters by code, from the decoded bytes with the `bfchar` and `bfrange` of a ToUnicode map (ISO 32000-1, 9.10.3). */
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
  /** A map may name each code several times, but not without end. */
  private left = 4 * codes;

  /** A range of codes, and the text of the first or a list of the texts of all. */
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

/** UTF-16; `added` is added to the last unit. */
function textOf(bytes: Uint8Array, added: number): string {
  const units: number[] = [];
  for (let at = 0; at + 1 < Math.min(bytes.length, longestText); at += 2)
    units.push(((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0));
  if (units.length > 0) units.push((units.pop() ?? 0) + added);
  return String.fromCharCode(...units);
}
