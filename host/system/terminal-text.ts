/** Texts for terminals. */
import { styleText } from "node:util";

const obeyed = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** On one line, without control characters and changes of direction, because plugins and clients write these texts. */
export function printable(text: string): string {
  return text.replaceAll(/\s+/gu, " ").replaceAll(obeyed, "�").trim();
}

/** The same for a text that may have several lines. */
export function printableLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trimEnd().replaceAll("\t", " ").replaceAll(obeyed, "�"))
    .join("\n");
}

/** JSON for scripts that is also safe at a terminal: control characters are escaped. */
export function jsonText(value: unknown, indentation?: number): string {
  const escaped = (character: string): string =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value, undefined, indentation).replaceAll(obeyed, escaped);
}

/** A time of this machine's zone, such as "2026-01-31 14:05:09". */
export function localTime(time: number | string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "no valid time";
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return `${day.map(twoDigits).join("-")} ${clock.map(twoDigits).join(":")}`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, "0");
}

/** Colours a text at a terminal, unless `NO_COLOR` is set. */
export function coloured(colour: "red" | "yellow" | "green" | "gray" | "bold", text: string): string {
  const wanted = process.stdout.isTTY && !process.env["NO_COLOR"];
  return wanted ? styleText(colour, text) : text;
}

/** Cut to the width of the terminal; whole for scripts and files. */
export function fitted(line: string): string {
  const width = terminalWidth();
  return width === undefined ? line : cut(line, width);
}

/** Columns of the terminal; undefined if standard output is not a terminal or does not report them. */
function terminalWidth(): number | undefined {
  const { isTTY, columns } = process.stdout;
  return isTTY && columns > 0 ? columns : undefined;
}

/** Lines of a table with columns below their titles. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [titles, ...rows].map((row) => row.map(printable));
  const widths = titles.map((_title, column) =>
    all.reduce((width, row) => Math.max(width, displayWidth(row[column] ?? "")), 0),
  );
  return all.map((row) =>
    fitted(
      row
        .map((cell, column) => padded(cell, widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    ),
  );
}

/** Writes lines to standard output. */
export function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

/** Writes an answer of the host API to standard output as it came. */
export function printJson(answer: unknown): void {
  process.stdout.write(`${jsonText(answer, 2)}\n`);
}

let segmenter: Intl.Segmenter | undefined;

/** The characters as readers see them. Creates the segmenter when needed: that takes longer than most commands. */
function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Ideographs, syllables of Korean, full-width forms, and pictures: two columns (Unicode Standard Annex 11). */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** Marks and joiners that stand alone. */
const invisible = /^[\p{M}\p{Cf}]+$/u;

const narrowOnly = /^[\x20-\x7e]*$/;

/** Columns of a text without control characters. */
export function displayWidth(text: string): number {
  if (narrowOnly.test(text)) return text.length;
  return graphemes(text).reduce((width, grapheme) => width + widthOf(grapheme), 0);
}

/** The text, filled with blanks to so many columns. */
export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** The text, cut to so many columns with a mark at its end. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let taken = "";
  let columns = 0;
  for (const grapheme of graphemes(text)) {
    columns += widthOf(grapheme);
    if (columns > width - 1) break;
    taken += grapheme;
  }
  return width > 0 ? `${taken}…` : "";
}

function widthOf(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return invisible.test(grapheme) ? 0 : 1;
}

/** Wraps the paragraphs of a help text to the width; keeps indented lines. */
export function reflowed(text: string, width: number): string {
  const lines: string[] = [];
  let words: string[] = [];
  const endParagraph = (): void => {
    lines.push(...wrapped(words, width));
    words = [];
  };
  for (const line of text.split("\n")) {
    if (line !== "" && !line.startsWith(" ")) words.push(...line.split(" "));
    else {
      endParagraph();
      lines.push(line);
    }
  }
  endParagraph();
  return lines.join("\n");
}

function wrapped(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === "" ? lines : [...lines, line];
}
