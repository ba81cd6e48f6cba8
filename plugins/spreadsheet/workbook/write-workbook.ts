/** Workbooks in the Office Open XML format (.xlsx), written while they are read. */
import { drawingContent, pictureRelationship } from "./drawing.js";
import { Media } from "./media.js";
import { NumberFormats } from "./number-formats.js";
import { PackageArchive } from "./package-archive.js";
import {
  applicationProperties,
  contentTypes,
  coreProperties,
  type ListedSheet,
  packageRelationships,
  type Relationship,
  relationships,
  workbookPart,
  workbookRelationships,
} from "./package-parts.js";
import type { Workbook } from "./sheet.js";
import { SheetNames } from "./sheet-names.js";
import { drawingRelationship, SheetPart } from "./sheet-part.js";
import { Styles } from "./styles.js";
import type { WorkbookContext } from "./workbook-context.js";

export type { WorkbookContext } from "./workbook-context.js";

/** Of a workbook. */
export const workbookMediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/**
 * The bytes of a workbook, for `host.files.create`. Rows and pictures are asked for when there is room for them: neither
 * sheets nor pictures are ever in memory as a whole. Whoever stops reading, or aborts the signal, ends the rows too.
 * Pictures that a sheet cannot show are left out as `item-image-error`, texts that are too long are cut as
 * `spreadsheet-value-changed`.
 * @throws RequestError 422 `spreadsheet-too-many-rows`; RangeError for a sheet without columns and for numbers that are none.
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
  const shared = {
    styles: new Styles(),
    formats: new NumberFormats(workbook.locale),
    suppress: context.suppress,
  };
  const media = new Media(context);
  const names = new SheetNames();
  const sheets: ListedSheet[] = [];
  const drawings: number[] = [];
  await archive.add("_rels/.rels", packageRelationships());
  for await (const sheet of workbook.sheets) {
    if (archive.isEnded) return;
    const part = new SheetPart(sheet, names.unique(sheet.name), shared);
    const number = sheets.length + 1;
    await archive.add(`xl/worksheets/sheet${number}.xml`, part.content(number === 1));
    await addRelated(archive, part, { number, media });
    if (part.pictures.length > 0) drawings.push(number);
    sheets.push({ name: part.name, titleRow: part.layout.headerRow, filter: part.filter });
  }
  if (sheets.length === 0) throw new RangeError("A workbook needs a sheet.");
  await archive.add("xl/styles.xml", shared.styles.xml());
  await archive.add("xl/workbook.xml", workbookPart(sheets));
  await archive.add("xl/_rels/workbook.xml.rels", workbookRelationships(sheets.length));
  await archive.add("docProps/core.xml", coreProperties(workbook));
  await archive.add("docProps/app.xml", applicationProperties());
  await archive.add("[Content_Types].xml", contentTypes(sheets.length, drawings));
  archive.finish();
}

interface SheetPlace {
  /** From 1. */
  number: number;
  media: Media;
}

/** What belongs to a sheet whose rows are written: its pictures, their drawing, and the relationships of both. */
async function addRelated(
  archive: PackageArchive,
  part: SheetPart,
  { number, media }: SheetPlace,
): Promise<void> {
  const related: Relationship[] = [];
  for (const [target, id] of part.links.targets)
    related.push({ id, type: "hyperlink", target, external: true });
  if (part.pictures.length > 0) {
    related.push({ id: drawingRelationship, type: "drawing", target: `../drawings/drawing${number}.xml` });
    await addPictures(archive, part, media);
    await archive.add(
      `xl/drawings/drawing${number}.xml`,
      drawingContent({ pictures: part.pictures, columnPixels: (column) => part.columnPixels(column) }, media),
    );
    await archive.add(
      `xl/drawings/_rels/drawing${number}.xml.rels`,
      relationships(shownPictures(part, media)),
    );
  }
  if (related.length > 0) {
    await archive.add(`xl/worksheets/_rels/sheet${number}.xml.rels`, relationships(related));
  }
}

/** One at a time. */
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
