import { contentOperands, operandName } from "../../accessibility/content-operands.js";
import { ContentOperators } from "../../accessibility/content-operators.js";
import { codesOf, unicodeMap } from "../../accessibility/unicode-map.js";
import type { PdfFile } from "../pdf-file.js";
import { isKind, isName, type PdfDictionary } from "../pdf-object.js";

/** Reads the text of marked sequences of pages. Fonts are read once. */
export class SequenceTexts {
  private readonly fonts = new Map<PdfDictionary, (bytes: Uint8Array) => string>();

  constructor(private readonly file: PdfFile) {}

  /** By identifier. Sequences within sequences count for both. */
  of(content: Uint8Array, resources: PdfDictionary | undefined): Map<number, string> {
    const texts = new Map<number, string>();
    const marks: (number | undefined)[] = [];
    const operators = new ContentOperators(content);
    let read: ((bytes: Uint8Array) => string) | undefined;
    while (operators.next()) {
      const { operator } = operators;
      const operands = () => contentOperands(content, operators.operands, operators.start);
      if (operator === "BMC") marks.push(undefined);
      else if (operator === "BDC") {
        const properties = operands()[1];
        const identifier = properties instanceof Map ? properties.get("MCID") : undefined;
        marks.push(typeof identifier === "number" ? identifier : undefined);
      } else if (operator === "EMC") marks.pop();
      else if (operator === "Tf") read = this.font(resources, operandName(operands()[0]));
      else if (/^(Tj|TJ|'|")$/.test(operator)) {
        const strings = operands()
          .flat(1)
          .filter((operand) => operand instanceof Uint8Array);
        const text = strings.map((string) => read?.(string) ?? "").join("");
        for (const mark of marks) if (mark !== undefined) texts.set(mark, (texts.get(mark) ?? "") + text);
      }
    }
    return texts;
  }

  private font(resources: PdfDictionary | undefined, name: string | undefined) {
    const fonts = this.file.dictionary(resources?.entries.get("Font"));
    const font = name === undefined ? undefined : this.file.dictionary(fonts?.entries.get(name));
    if (font === undefined) return undefined;
    const known = this.fonts.get(font) ?? this.reader(font);
    this.fonts.set(font, known);
    return known;
  }

  private reader(font: PdfDictionary): (bytes: Uint8Array) => string {
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
