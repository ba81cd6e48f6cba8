/** Cell styles, one per meaning. */
import type { Borders, Font, Style } from "@jsreport/exceljs";
import type { CellStyle } from "./sheet.js";

/** Formatting attributes of a cell. */
export interface CellFormat {
  style?: CellStyle | "link" | undefined;
  align?: "left" | "center" | "right" | undefined;
  wrap?: boolean | undefined;
  /** A format code. */
  number?: string | undefined;
}

const plainFont = { name: "Calibri", family: 2, size: 11, color: { argb: "FF000000" } };
const bold: Partial<Font> = { ...plainFont, bold: true };
const stylePresets: Readonly<Record<CellStyle | "link", Partial<Style>>> = {
  title: { font: { ...bold, size: 14 } },
  heading: { font: bold, fill: solid("FFE2E6EA"), border: { bottom: line("thin") } },
  subtotal: { font: bold, fill: solid("FFF4F5F7"), border: { top: line("hair") } },
  total: { font: bold, border: { top: line("thin"), bottom: line("double") } },
  note: { font: { ...plainFont, italic: true, color: { argb: "FF595959" } } },
  link: { font: { ...plainFont, underline: true, color: { argb: "FF0563C1" } } },
};

/** The styles of one workbook, each created once. */
export class CellStyles {
  readonly #styles = new Map<string, Partial<Style>>();

  /** The shared style of a format; do not modify it. */
  style(format: CellFormat): Partial<Style> {
    const { style = "", align = "", wrap = false, number = "" } = format;
    const key = `${style}|${align}|${wrap}|${number}`;
    const known = this.#styles.get(key);
    if (known !== undefined) return known;
    const made = newStyle(format);
    this.#styles.set(key, made);
    return made;
  }
}

function newStyle({ style, align, wrap, number }: CellFormat): Partial<Style> {
  return {
    ...(style === undefined ? {} : stylePresets[style]),
    ...(number === undefined ? {} : { numFmt: number }),
    alignment: {
      vertical: style === "heading" ? "middle" : "top",
      ...(align === undefined ? {} : { horizontal: align }),
      ...(wrap ? { wrapText: true } : {}),
    },
  };
}

function solid(argb: string): NonNullable<Style["fill"]> {
  return { type: "pattern", pattern: "solid", fgColor: { argb } };
}

function line(style: "thin" | "hair" | "double"): Borders["top"] {
  return { style, color: { argb: "FF7F868D" } };
}
