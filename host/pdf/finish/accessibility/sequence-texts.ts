import { contentOperands, operandName } from "../../accessibility/content-operands.js";
import { ContentOperators } from "../../accessibility/content-operators.js";
import { codesOf, unicodeMap } from "../../accessibility/unicode-map.js";
import type { PdfFile } from "../pdf-file.js";
import { isKind, isName, type PdfDictionary } from "../pdf-object.js";
import { markedIdentifier } from "./marked-identifier.js";

type FontReader = (bytes: Uint8Array) => string;

/** Reads the text of marked sequences of pages. Fonts are read once. */
export class SequenceTexts {
  private readonly fonts = new Map<PdfDictionary, FontReader>();

  constructor(private readonly file: PdfFile) {}

  /** By identifier; of all others nothing is read. */
  of(
    content: Uint8Array,
    resources: PdfDictionary | undefined,
    wanted: ReadonlySet<number>,
  ): Map<number, string> {
    const texts = new Map<number, string>();
    const marks: (number | undefined)[] = [];
    const operators = new ContentOperators(content);
    let font: { from: number; start: number } | undefined;
    let mark: number | undefined;
    while (operators.next()) {
      const { operator, operands: from, start } = operators;
      if (operator === "Tf") font = { from, start };
      else if (operator === "BDC" || operator === "BMC") {
        marks.push(mark);
        const identifier = operator === "BDC" ? markedIdentifier(content, from, start) : undefined;
        mark = identifier !== undefined && wanted.has(identifier) ? identifier : mark;
      } else if (operator === "EMC") mark = marks.pop();
      else if (mark !== undefined && isShowing(operator)) {
        const name = font && operandName(contentOperands(content, font.from, font.start)[0]);
        const read = this.font(resources, name);
        for (const operand of contentOperands(content, from, start).flat(1))
          if (operand instanceof Uint8Array)
            texts.set(mark, (texts.get(mark) ?? "") + (read?.(operand) ?? ""));
      }
    }
    return texts;
  }

  private font(resources: PdfDictionary | undefined, name: string | undefined): FontReader | undefined {
    const fonts = this.file.dictionary(resources?.entries.get("Font"));
    const font = name === undefined ? undefined : this.file.dictionary(fonts?.entries.get(name));
    if (font === undefined) return undefined;
    const known = this.fonts.get(font) ?? this.reader(font);
    this.fonts.set(font, known);
    return known;
  }

  private reader(font: PdfDictionary): FontReader {
    const map = this.file.resolve(font.entries.get("ToUnicode"));
    if (!isKind(map, "stream")) return () => "";
    const characters = unicodeMap(this.file.content(map));
    const width = isName(font.entries.get("Subtype"), "Type0") ? 2 : 1;
    return (bytes) =>
      codesOf(bytes, width)
        .map((code) => characters.get(code) ?? "")
        .join("");
  }
}

/** Whether the operator shows text. */
function isShowing(operator: string): boolean {
  return operator === "Tj" || operator === "TJ" || operator === "'" || operator === '"';
}
