/** The table `i18n/labels.csv`: the texts of `template.json` in other languages, a row for each, as spreadsheets write it. */
import { languagePattern } from "@slipway/sdk";
import { CsvError, parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";

/** File of the table. */
export const labelFile = "i18n/labels.csv";

/** A text in each language of the table, by its English. */
export type Labels = ReadonlyMap<string, Readonly<Record<string, string>>>;

export interface LabelTable {
  /** Without English, which names the rows. */
  languages: readonly string[];
  labels: Labels;
}

/** A mistake in a table, with its line. */
export interface TableMistake {
  line: number;
  message: string;
}

interface Row {
  line: number;
  cells: readonly string[];
}

const language = new RegExp(languagePattern);

/** Reads a table, or returns its first mistake. */
export function readLabelTable(text: string): LabelTable | TableMistake {
  const rows = readRows(text);
  if ("message" in rows) return rows;
  const [head, ...others] = rows;
  const [first, ...languages] = head?.cells ?? [];
  if (first !== "en" || !languages.every((each) => language.test(each)))
    return { line: 1, message: 'the first line must be languages, "en" first, such as en,de,fr' };
  const twice = languages.find((each, index) => each === "en" || languages.indexOf(each) < index);
  if (twice !== undefined) return { line: 1, message: `the language "${twice}" is there twice` };
  const labels = new Map<string, Record<string, string>>();
  for (const { line, cells } of others) {
    const [english = "", ...texts] = cells;
    if (texts.length !== languages.length)
      return { line, message: `it has ${cells.length} cells, the first line ${languages.length + 1}` };
    if (english === "") return { line, message: "the English text is missing" };
    if (labels.has(english)) return { line, message: `"${english}" is there twice` };
    const named = languages.map((each, index) => [each, texts[index] ?? ""] as const);
    labels.set(english, Object.fromEntries(named.filter(([, each]) => each !== "")));
  }
  return { languages, labels };
}

/** A template's own table over a shared one, cell by cell; the shared one or the own one as it is if it is wrong. */
export function joinedTables(shared: string, own: string): string {
  const [below, above] = [readLabelTable(shared), readLabelTable(own)];
  if ("message" in above) return own;
  if ("message" in below) return shared;
  const languages = [...new Set([...below.languages, ...above.languages])];
  const rows = [...new Set([...below.labels.keys(), ...above.labels.keys()])].map((english) => {
    const texts = { ...below.labels.get(english), ...above.labels.get(english) };
    return [english, ...languages.map((each) => texts[each] ?? "")];
  });
  return stringify([["en", ...languages], ...rows]);
}

/** The rows that are not empty. */
function readRows(text: string): Row[] | TableMistake {
  const rows: Row[] = [];
  try {
    parse(text, {
      relaxColumnCount: true,
      skipEmptyLines: true,
      skipRecordsWithEmptyValues: true,
      onRecord: (cells, { lines: line }) => {
        rows.push({ line, cells });
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines: line } = error;
    return {
      line: typeof line === "number" ? line : 1,
      message: `a text with " or a comma is written like "say ""no"", please"`,
    };
  }
}
