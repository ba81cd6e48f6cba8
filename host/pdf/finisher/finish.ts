import { joinDestinations } from "./destinations.js";
import { type AttachedPart, adoptPart, type DocumentPart, reportPart } from "./document-part.js";
import { joinOutlines } from "./outline.js";
import { joinPageLabels } from "./page-labels.js";
import { setPages } from "./page-tree.js";
import { CommonNames, renamedPart } from "./part-names.js";
import type { PdfFile } from "./pdf-file.js";
import { PdfFormatError } from "./pdf-object.js";
import { prepareAttachment } from "./prepare-attachment.js";
import { joinStructureTrees } from "./structure-tree.js";
import { writePdf } from "./write-pdf.js";

export interface FinishOrder {
  report: PdfFile;
  /** Attachments before and after the report, in order. All files must not be used afterwards. */
  before: PdfFile[];
  after: PdfFile[];
  /** Pages that the attachments may have in all. */
  pages: number;
  /** Whether the report is meant for everybody: then it is made accessible as PDF/UA asks for. */
  tagged: boolean;
}

export interface FinishedPdf {
  content: Uint8Array;
  pages: number;
  /** Attachments left out; `index` counts through `before` and then `after`. `reason` is fit for a client. */
  refused: { index: number; reason: string }[];
}

/**
 * The last pass over a report: joins it with its attachments and packs it. Pages, tags, outlines, named destinations
 * and page labels of all parts are kept; title, language and all else are those of the report. An attachment that
 * cannot be used is left out. Throws `PdfFormatError` if the report itself cannot be used.
 */
export async function finish(order: FinishOrder): Promise<FinishedPdf> {
  const file = order.report;
  const report = reportPart(file);
  const { parts, refused } = attachedParts(order, report);
  const all = order.before.flatMap((_, index) => parts[index] ?? []);
  const after = order.after.flatMap((_, index) => parts[order.before.length + index] ?? []);
  if (all.length + after.length > 0) join(file, report, [...all, report, ...after]);
  const pages = [...all, report, ...after].reduce((sum, part) => sum + part.pages.length, 0);
  return { content: await writePdf(file), pages, refused };
}

/** The attachments that can be used, each at its index. */
function attachedParts(
  { report: file, before, after, pages }: FinishOrder,
  report: DocumentPart,
): { parts: (AttachedPart | undefined)[]; refused: FinishedPdf["refused"] } {
  const names = new CommonNames(report);
  const refused: FinishedPdf["refused"] = [];
  let room = pages;
  const parts = [...before, ...after].map((attachment, index) => {
    try {
      const part = adoptPart(file, attachment);
      const count = part.pages.length;
      if (count > room) {
        refused.push({ index, reason: `it has ${count} pages, more than the ${room} that are left` });
        return undefined;
      }
      const partNames = names.of(part);
      prepareAttachment(file, part, partNames);
      room -= count;
      return renamedPart(part, partNames);
    } catch (error) {
      if (!(error instanceof PdfFormatError)) throw error;
      refused.push({ index, reason: "it is damaged" });
      return undefined;
    }
  });
  return { parts, refused };
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
  joinPageLabels(file, catalog, parts);
  joinDestinations(
    file,
    catalog,
    parts.map((part) => part.destinations),
  );
  const tagged = parts.flatMap(({ catalog, tree }) => (tree === undefined ? [] : [{ catalog, tree }]));
  if (tagged.some((part) => part.tree !== report.tree)) joinStructureTrees(file, catalog, tagged);
}
