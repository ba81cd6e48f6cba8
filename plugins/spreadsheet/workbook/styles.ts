/** The looks of cells: each meaning has one, and the file numbers those that occur. */
import { StreamingXmlWriter } from "@slipway/sdk";
import type { CellStyle } from "./sheet.js";

/** What decides how a cell looks. */
export interface CellFormat {
  style?: CellStyle | "link" | undefined;
  align?: "left" | "center" | "right" | undefined;
  wrap?: boolean | undefined;
  /** A format code. */
  number?: string | undefined;
}

interface Look {
  font: number;
  fill: number;
  border: number;
}

const plain: Look = { font: 0, fill: 0, border: 0 };
const looks: Readonly<Record<CellStyle | "link", Look>> = {
  title: { font: 2, fill: 0, border: 0 },
  heading: { font: 1, fill: 2, border: 1 },
  subtotal: { font: 1, fill: 3, border: 2 },
  total: { font: 1, fill: 0, border: 3 },
  note: { font: 3, fill: 0, border: 0 },
  link: { font: 4, fill: 0, border: 0 },
};

const font = '<name val="Calibri"/><family val="2"/>';
const fonts = [
  `<font><sz val="11"/><color rgb="FF000000"/>${font}</font>`,
  `<font><b/><sz val="11"/><color rgb="FF000000"/>${font}</font>`,
  `<font><b/><sz val="14"/><color rgb="FF000000"/>${font}</font>`,
  `<font><i/><sz val="11"/><color rgb="FF595959"/>${font}</font>`,
  `<font><u/><sz val="11"/><color rgb="FF0563C1"/>${font}</font>`,
];
const fills = [
  '<fill><patternFill patternType="none"/></fill>',
  '<fill><patternFill patternType="gray125"/></fill>',
  solid("FFE2E6EA"),
  solid("FFF4F5F7"),
];
const borders = [
  border("", ""),
  border("", line("bottom", "thin")),
  border(line("top", "hair"), ""),
  border(line("top", "thin"), line("bottom", "double")),
];

/** First number of formats that are not built in. */
const firstNumberFormat = 164;

/** Numbers the formats that occur in one workbook, in the order of their first use. */
export class Styles {
  readonly #formats: CellFormat[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #indexes = new Map<string, number>();

  constructor() {
    this.index({});
  }

  /** The number of a format for the attribute `s`. */
  index(format: CellFormat): number {
    const { style = "", align = "", wrap = false, number } = format;
    const key = `${style}|${align}|${wrap}|${number ?? ""}`;
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    if (number !== undefined && !this.#numbers.has(number)) {
      this.#numbers.set(number, firstNumberFormat + this.#numbers.size);
    }
    this.#indexes.set(key, this.#formats.length);
    return this.#formats.push(format) - 1;
  }

  /** The part `xl/styles.xml`. */
  xml(): string {
    const xfs = this.#formats.map((format) => this.#xf(format));
    const numbers = [...this.#numbers].map(([code, id]) => numberFormat(code, id));
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
      numbers.length === 0 ? "" : list("numFmts", numbers),
      list("fonts", fonts),
      list("fills", fills),
      list("borders", borders),
      list("cellStyleXfs", ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
      list("cellXfs", xfs),
      list("cellStyles", ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
      "</styleSheet>",
    ].join("");
  }

  #xf({ style, align, wrap, number }: CellFormat): string {
    const look = style === undefined ? plain : looks[style];
    const id = (number === undefined ? undefined : this.#numbers.get(number)) ?? 0;
    const horizontal = align === undefined ? "" : ` horizontal="${align}"`;
    const vertical = style === "heading" ? "center" : "top";
    return [
      `<xf numFmtId="${id}" fontId="${look.font}" fillId="${look.fill}" borderId="${look.border}" xfId="0"`,
      ' applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">',
      `<alignment${horizontal} vertical="${vertical}"${wrap ? ' wrapText="1"' : ""}/></xf>`,
    ].join("");
  }
}

function numberFormat(code: string, id: number): string {
  const writer = new StreamingXmlWriter();
  writer.element("numFmt", "", { numFmtId: id, formatCode: code });
  return writer.take();
}

function list(name: string, elements: readonly string[]): string {
  return `<${name} count="${elements.length}">${elements.join("")}</${name}>`;
}

function solid(color: string): string {
  return `<fill><patternFill patternType="solid"><fgColor rgb="${color}"/><bgColor indexed="64"/></patternFill></fill>`;
}

function border(top: string, bottom: string): string {
  return `<border><left/><right/>${top || "<top/>"}${bottom || "<bottom/>"}<diagonal/></border>`;
}

function line(side: string, style: string): string {
  return `<${side} style="${style}"><color rgb="FF7F868D"/></${side}>`;
}
