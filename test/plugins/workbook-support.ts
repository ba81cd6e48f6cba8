/**
 * Workbooks written without a host, and read again without the code that wrote them. Uses the part itself: the plugin does
 * not write all the workbooks that its writer takes.
 */
import type { Suppression } from "@slipway/sdk";
import { readArchive } from "@slipway/sdk/testing";
import { ZipArchive } from "archiver";
import { type Sheet as ReadSheet, type Workbook as ReadWorkbook, readXlsx } from "hucre/xlsx";
import sharp from "sharp";
import type { Column, Row, Sheet, Workbook } from "../../plugins/spreadsheet/workbook/sheet.js";
import { writeWorkbook } from "../../plugins/spreadsheet/workbook/write-workbook.js";
import { shownPicture } from "./shown-picture.js";

export interface Written {
  bytes: Uint8Array;
  errors: Suppression[];
  /** Pictures that are missing, with the reasons. */
  leftOut: [key: string, reason: string][];
}

export interface WritingOptions extends Partial<Omit<Workbook, "sheets">> {
  assets?: Record<string, Uint8Array>;
}

/** All bytes of a workbook of these sheets. */
export async function written(
  sheets: Workbook["sheets"],
  { assets = {}, ...workbook }: WritingOptions = {},
): Promise<Written> {
  const errors: Suppression[] = [];
  const leftOut: [key: string, reason: string][] = [];
  const chunks: Uint8Array[] = [];
  const all = {
    title: "Offer",
    created: new Date("2026-03-02T09:30:00Z"),
    locale: "de_DE",
    ...workbook,
    sheets,
  };
  const content = writeWorkbook(all, {
    picture: async (key) => shownPicture(assets[key]),
    leaveOut: (key, reason) => leftOut.push([key, reason]),
    suppress: (error) => errors.push(error),
    signal: new AbortController().signal,
  });
  for await (const chunk of content) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), errors, leftOut };
}

/** A sheet of rows at hand. */
export function sheetOf(
  columns: readonly Column[],
  rows: Iterable<Row>,
  settings: Partial<Omit<Sheet, "columns" | "rows">> = {},
): Sheet {
  return { name: "Sheet", columns, rows: oneByOne(rows), ...settings };
}

/** A sheet of one column of texts. */
export function textSheet(
  texts: readonly string[],
  settings: Partial<Omit<Sheet, "columns" | "rows">> = {},
): Sheet {
  return sheetOf(
    [{}],
    texts.map((text) => ({ cells: [{ kind: "text", text }] })),
    settings,
  );
}

export async function* oneByOne<Value>(values: Iterable<Value>): AsyncGenerator<Value> {
  yield* values;
}

/** As an independent reader understands it. */
export async function readBack(bytes: Uint8Array): Promise<ReadWorkbook> {
  return readXlsx(bytes, { readStyles: true });
}

/** The first sheet with a name; throws when there is none. */
export function named(workbook: ReadWorkbook, name: string): ReadSheet {
  const found = workbook.sheets.find((sheet) => sheet.name === name);
  if (found === undefined)
    throw new Error(`no sheet "${name}" in ${workbook.sheets.map((sheet) => sheet.name)}`);
  return found;
}

/** One part of the package as text. */
export async function partOf(bytes: Uint8Array, name: string): Promise<string> {
  const file = (await readArchive(bytes)).get(name);
  if (file === undefined) throw new Error(`no part ${name}`);
  return file.text();
}

/** The same package with one part changed, or left out where no change is given. */
export async function damaged(
  bytes: Uint8Array,
  part: string,
  change?: (text: string) => string,
): Promise<Uint8Array> {
  const archive = new ZipArchive();
  let found = false;
  for (const [name, file] of await readArchive(bytes)) {
    found ||= name === part;
    const content = name === part ? change?.(file.text()) : Buffer.from(file.bytes);
    if (content !== undefined) archive.append(content, { name });
  }
  if (!found) throw new Error(`no part ${part}`);
  const finished = archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk);
  await finished;
  return Buffer.concat(chunks);
}

/** A picture of one colour in a format that sheets take. */
export async function picture(
  kind: "png" | "jpeg",
  { width, height, color }: { width: number; height: number; color: string },
): Promise<Uint8Array> {
  const plain = sharp({ create: { width, height, channels: 3, background: color } });
  return plain.toFormat(kind).toBuffer();
}
