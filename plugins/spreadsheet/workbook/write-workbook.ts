/** Writes workbooks in the Office Open XML format (.xlsx) as a stream. */
import { CellStyles } from "./cell-styles.js";
import { drawingContent, pictureRelationship } from "./drawing.js";
import { LibraryWorkbook, type TextPart } from "./library-workbook.js";
import { Media } from "./media.js";
import { NumberFormats } from "./number-formats.js";
import { PackageArchive } from "./package-archive.js";
import {
  type Relationship,
  relationships,
  type WrittenSheet,
  withApplication,
  withDrawingTypes,
  withNames,
  withRelationships,
} from "./package-changes.js";
import type { Workbook } from "./sheet.js";
import { SheetNames } from "./sheet-layout.js";
import { drawingRelationship, SheetPart } from "./sheet-part.js";
import type { WorkbookContext } from "./workbook-context.js";

export type { WorkbookContext } from "./workbook-context.js";

/** Media type of a workbook. */
export const workbookMediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/**
 * The bytes of a workbook, for `host.files.create`. Rows and pictures are read on demand, pictures one at a time.
 * Memory needs: the library's data of each formula (some 500 bytes) and its packed copy of the sheets
 * (`LibraryWorkbook`), about as large as the file without pictures. Rows are no longer read when the reader stops or
 * the signal aborts. Pictures that a sheet cannot show are left out as `item-image-error`, long texts are cut as
 * `spreadsheet-value-changed`.
 * @throws {RequestError} 422 `spreadsheet-too-many-rows`
 * @throws {RangeError} for a sheet without columns and for invalid numbers
 */
export async function* writeWorkbook(
  workbook: Workbook,
  context: WorkbookContext,
): AsyncGenerator<Uint8Array> {
  const { signal } = context;
  signal.throwIfAborted();
  const archive = new PackageArchive(workbook.created);
  const abort = (): void => archive.end(asError(signal.reason));
  signal.addEventListener("abort", abort, { once: true });
  const packed = pack(archive, workbook, context).catch((error: unknown) => archive.end(asError(error)));
  try {
    yield* archive.content;
  } finally {
    signal.removeEventListener("abort", abort);
    archive.end();
    await packed;
  }
}

async function pack(archive: PackageArchive, workbook: Workbook, context: WorkbookContext): Promise<void> {
  const library = await LibraryWorkbook.begin(workbook);
  const shared = {
    library,
    styles: new CellStyles(),
    formats: new NumberFormats(workbook.locale),
    suppress: context.suppress,
  };
  const media = new Media(context);
  const names = new SheetNames();
  const sheets: WrittenSheet[] = [];
  for await (const sheet of workbook.sheets) {
    if (archive.isEnded) return;
    const part = new SheetPart(sheet, names.unique(sheet.name), shared);
    const number = sheets.length + 1;
    await archive.add(`xl/worksheets/sheet${number}.xml`, part.content());
    const hasDrawing = part.pictures.length > 0;
    if (hasDrawing) await addDrawing(archive, part, { number, media });
    const { headerRow: titleRow, titleColumns } = part.layout;
    sheets.push({ name: part.name, titleRow, titleColumns, filter: part.filter, hasDrawing });
  }
  if (sheets.length === 0) throw new RangeError("A workbook needs a sheet.");
  if (archive.isEnded) return;
  await addSmallParts(archive, library, sheets);
  archive.finish();
}

interface SheetPlace {
  /** From 1. */
  number: number;
  media: Media;
}

/** Adds the pictures of a sheet whose rows are written, and their drawing. */
async function addDrawing(
  archive: PackageArchive,
  part: SheetPart,
  { number, media }: SheetPlace,
): Promise<void> {
  await addPictures(archive, part, media);
  await archive.add(
    `xl/drawings/drawing${number}.xml`,
    drawingContent({ pictures: part.pictures, columnPixels: (column) => part.columnPixels(column) }, media),
  );
  await archive.add(`xl/drawings/_rels/drawing${number}.xml.rels`, relationships(shownPictures(part, media)));
}

/** Adds the library's other parts, completed for sheets with pictures. */
async function addSmallParts(
  archive: PackageArchive,
  library: LibraryWorkbook,
  sheets: readonly WrittenSheet[],
): Promise<void> {
  const drawings = new Map(
    sheets.flatMap(({ hasDrawing }, index) => (hasDrawing ? [drawingOfSheet(index + 1)] : [])),
  );
  for await (const { name, text } of library.finish()) {
    const drawing = drawings.get(name);
    drawings.delete(name);
    await archive.add(
      name,
      drawing === undefined ? changed({ name, text }, sheets) : withRelationships(text, [drawing]),
    );
  }
  for (const [name, drawing] of drawings) await archive.add(name, relationships([drawing]));
}

function drawingOfSheet(number: number): [part: string, drawing: Relationship] {
  const target = `../drawings/drawing${number}.xml`;
  return [
    `xl/worksheets/_rels/sheet${number}.xml.rels`,
    { id: drawingRelationship, type: "drawing", target },
  ];
}

function changed({ name, text }: TextPart, sheets: readonly WrittenSheet[]): string {
  switch (name) {
    case "[Content_Types].xml":
      return withDrawingTypes(text, sheets);
    case "xl/workbook.xml":
      return withNames(text, sheets);
    case "docProps/app.xml":
      return withApplication(text);
    default:
      return text;
  }
}

/** Adds pictures one at a time. */
async function addPictures(archive: PackageArchive, part: SheetPart, media: Media): Promise<void> {
  for (const { asset } of part.pictures) {
    if (archive.isEnded) return;
    const next = await media.next(asset);
    if (next !== undefined) await archive.addStored(`xl/media/${next.medium.name}`, next.bytes);
  }
}

function* shownPictures(part: SheetPart, media: Media): Generator<Relationship> {
  const seen = new Set<string>();
  for (const { asset } of part.pictures) {
    const medium = media.find(asset);
    if (medium === undefined || seen.has(medium.name)) continue;
    seen.add(medium.name);
    yield { id: pictureRelationship(medium), type: "image", target: `../media/${medium.name}` };
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The writing was given up.", { cause: reason });
}
