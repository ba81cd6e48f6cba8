import {
  addNumberTree,
  isKind,
  isName,
  type PdfDictionary,
  type PdfFile,
  PdfFormatError,
  type PdfObject,
  pagesOf,
  pdfArray,
  pdfDictionary,
  pdfName,
  pdfText,
  readPdf,
} from "@slipway/sdk/runtime/pdf";
import { repairAccessibility } from "./accessibility/repair-accessibility.js";
import { type AttachmentDamage, damageOf } from "./attachment-damage.js";
import { hasUndrawnFields, hasXfa } from "./attachment-form.js";
import { writeWithClaims } from "./claims.js";
import { cleanLinks, joinDestinations } from "./destinations.js";
import { type AttachedPart, adoptPart, type DocumentPart, reportPart, setPages } from "./document-part.js";
import type { DamagedAttachment, FinishedPdf, FinishOrder, RefusedAttachment } from "./finish-messages.js";
import { joinOutlines } from "./outline.js";
import { CommonNames, renamedPart } from "./part-names.js";
import { prepareAttachment } from "./prepare-attachment.js";
import { rewriteAttachment, UnusableAttachment } from "./rewrite-attachment.js";
import { joinStructureTrees } from "./structure-tree.js";
import { repairUnicodeMaps } from "./unicode-maps.js";
import { writePdf } from "./write-pdf.js";

/**
 * The last pass over a report: joins it with its attachments and packs it. Pages, tags, outlines, named destinations
 * and page labels of all parts are kept; title, language and all else are those of the report. Only the report is made
 * accessible: attachments stay as they are, because what is true of Chromium's tags is not true of those of others. An
 * attachment that cannot be used is left out. Throws `PdfFormatError` if the report itself cannot be used. Attachments
 * are hostile input: with any, this belongs into a process that can be ended.
 */
export async function finish(order: FinishOrder): Promise<FinishedPdf> {
  const file = readPdf(order.report);
  repairUnicodeMaps(file);
  if (order.tagged) repairAccessibility(file);
  const report = reportPart(file);
  cleanLinks(file, report.pages);
  const { before, after, ...told } = await new Attaching(file, report, order.pages).all(order);
  const attached = [...before, ...after];
  if (attached.length > 0) join(file, report, [...before, report, ...after]);
  const pages = attached.reduce((sum, part) => sum + part.pages.length, report.pages.length);
  const claiming = order.tagged || order.archive !== undefined;
  const written = claiming ? await writeWithClaims(file, attached, order) : { content: await writePdf(file) };
  return { ...written, ...told, pages };
}

interface Attached {
  before: AttachedPart[];
  after: AttachedPart[];
  refused: RefusedAttachment[];
  damaged: DamagedAttachment[];
  withXfa: number[];
}

interface DamagedPart extends AttachedPart {
  damage: AttachmentDamage | undefined;
}

/** Takes attachments into the file of the report, one after the other. */
class Attaching {
  private readonly names: CommonNames;

  constructor(
    private readonly file: PdfFile,
    report: DocumentPart,
    /** Pages that further attachments may have. */
    private room: number,
  ) {
    this.names = new CommonNames(report);
  }

  /** Those that can be used, in order, what was left out, and what a repair could not bring back. */
  async all(order: FinishOrder): Promise<Attached> {
    const attached: Attached = { before: [], after: [], refused: [], damaged: [], withXfa: [] };
    for (const [index, content] of [...order.before, ...order.after].entries()) {
      const side = index < order.before.length ? attached.before : attached.after;
      try {
        const part = await this.attached(content);
        side.push(part);
        if (part.damage !== undefined) attached.damaged.push({ index, ...part.damage });
        if (hasXfa(this.file, part.catalog)) attached.withXfa.push(index);
      } catch (error) {
        attached.refused.push({ index, ...refusalOf(error) });
      }
    }
    return attached;
  }

  private async attached(content: Uint8Array): Promise<DamagedPart> {
    let part: AttachedPart | undefined;
    try {
      const file = readPdf(content);
      if (!hasUndrawnFields(file)) part = this.taken(file);
    } catch (error) {
      if (!(error instanceof PdfFormatError)) throw error;
      return this.rewritten(content, { isDamaged: true });
    }
    if (part === undefined) return this.rewritten(content, { isDamaged: false });
    return { ...part, damage: damageOf(this.file, part, { isRepaired: false }) };
  }

  private async rewritten(content: Uint8Array, options: { isDamaged: boolean }): Promise<DamagedPart> {
    const { content: sound, isRepaired } = await rewriteAttachment(content, options);
    const part = this.taken(readPdf(sound));
    // In the common file, what is missing has the numbers of other parts.
    const file = readPdf(sound, { dangling: true });
    const { catalog } = file;
    return { ...part, damage: damageOf(file, { catalog, pages: pagesOf(file, catalog) }, { isRepaired }) };
  }

  private taken(file: PdfFile): AttachedPart {
    const part = adoptPart(this.file, file);
    const count = part.pages.length;
    if (count > this.room)
      throw new UnusableAttachment(`it has ${count} pages, more than the ${this.room} that are left`);
    const names = this.names.of(part);
    prepareAttachment(this.file, part, names);
    this.room -= count;
    return renamedPart(part, names);
  }
}

function join(file: PdfFile, report: DocumentPart, parts: DocumentPart[]): void {
  const { catalog } = report;
  setPages(
    file,
    catalog,
    parts.flatMap((part) => part.pages),
  );
  joinOutlines(
    file,
    catalog,
    parts.map((part) => part.catalog),
  );
  joinLayers(
    file,
    catalog,
    parts.map((part) => part.catalog),
  );
  joinPageLabels(file, catalog, parts);
  joinDestinations(
    file,
    catalog,
    parts.map((part) => part.destinations),
  );
  const tagged = parts.flatMap(({ catalog, tree }) => (tree === undefined ? [] : [{ catalog, tree }]));
  if (tagged.some((part) => part.tree !== report.tree)) joinStructureTrees(file, catalog, tagged);
}

/** Why an attachment was left out, for a client and for the log. Throws what is no fault of the attachment. */
function refusalOf(error: unknown): { reason: string; cause: string } {
  if (error instanceof UnusableAttachment)
    return { reason: error.message, cause: error.cause === undefined ? "" : String(error.cause) };
  if (error instanceof PdfFormatError) return { reason: "it is damaged", cause: error.message };
  throw error;
}

/** The layers of all parts become those of `catalog`; of the settings of each, only what is switched off counts. */
function joinLayers(file: PdfFile, catalog: PdfDictionary, parts: PdfDictionary[]): void {
  const layers: PdfObject[] = [];
  const off: PdfObject[] = [];
  const order: PdfObject[] = [];
  for (const part of parts) {
    const properties = file.dictionary(part.entries.get("OCProperties"));
    const settings = file.dictionary(properties?.entries.get("D"));
    const own = file.array(properties?.entries.get("OCGs")) ?? [];
    for (const each of own) layers.push(each);
    for (const each of hidden(file, own, settings)) off.push(each);
    for (const each of file.array(settings?.entries.get("Order")) ?? []) order.push(each);
  }
  if (layers.length === 0) return;
  // PDF/UA asks for a name.
  const settings = pdfDictionary({ Name: pdfText("Layers"), OFF: pdfArray(off), Order: pdfArray(order) });
  catalog.entries.set("OCProperties", pdfDictionary({ OCGs: pdfArray(layers), D: settings }));
}

function hidden(file: PdfFile, own: PdfObject[], settings: PdfDictionary | undefined): PdfObject[] {
  const off = file.array(settings?.entries.get("OFF")) ?? [];
  if (!isName(file.resolve(settings?.entries.get("BaseState")), "OFF")) return off;
  const on = new Set((file.array(settings?.entries.get("ON")) ?? []).map(numberOf));
  return own.filter((each) => !on.has(numberOf(each)));
}

function numberOf(object: PdfObject): number {
  return isKind(object, "reference") ? object.number : 0;
}

/** Each part keeps its labels; the pages of a part without any count through the whole document. */
function joinPageLabels(file: PdfFile, catalog: PdfDictionary, parts: DocumentPart[]): void {
  if (parts.every((part) => part.labels.size === 0)) return;
  const labels = new Map<number, PdfObject>();
  let start = 0;
  for (const part of parts) {
    labels.set(start, pdfDictionary({ S: pdfName("D"), St: start + 1 }));
    for (const [page, label] of part.labels) if (page < part.pages.length) labels.set(start + page, label);
    start += part.pages.length;
  }
  catalog.entries.set("PageLabels", addNumberTree(file, labels));
}
