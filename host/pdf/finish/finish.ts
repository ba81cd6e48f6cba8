import { errorMessage } from "../../system/error-message.js";
import type { AccessibilityFinding } from "../accessibility/accessibility-finding.js";
import { stateFacts } from "./accessibility/document-facts.js";
import { repairAccessibility } from "./accessibility/repair-accessibility.js";
import { joinDestinations } from "./destinations.js";
import { type AttachedPart, adoptPart, type DocumentPart, reportPart } from "./document-part.js";
import type { Claim, FinishedPdf, FinishOrder, RefusedAttachment } from "./finish-messages.js";
import { refusalOf, rewritten, UnusableAttachment } from "./foreign-document.js";
import { joinLayers } from "./layers.js";
import { joinOutlines } from "./outline.js";
import { joinPageLabels } from "./page-labels.js";
import { setPages } from "./page-tree.js";
import { CommonNames, renamedPart } from "./part-names.js";
import type { PdfFile } from "./pdf-file.js";
import { PdfFormatError } from "./pdf-object.js";
import { prepareAttachment } from "./prepare-attachment.js";
import { readPdf } from "./read-pdf.js";
import { cleanLinks } from "./report-links.js";
import { joinStructureTrees } from "./structure-tree.js";
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
  if (order.tagged) await repairAccessibility(file);
  const report = reportPart(file);
  cleanLinks(file, report.pages);
  const { before, after, refused } = await new Attaching(file, report, order.pages).all(order);
  const attached = [...before, ...after];
  if (attached.length > 0) join(file, report, [...before, report, ...after]);
  const pages = attached.reduce((sum, part) => sum + part.pages.length, report.pages.length);
  if (!order.tagged) return { content: await writePdf(file), pages, refused };
  const written = await writtenWithClaim(
    file,
    attached.every((part) => part.conforming),
  );
  return { ...written, pages, refused };
}

/**
 * The check that tells people what is wrong with a PDF decides whether it may say of itself that nothing is. What a
 * browser does to tags is told by no list of its features, so the bytes are looked at that go out.
 */
async function writtenWithClaim(
  file: PdfFile,
  mayClaim: boolean,
): Promise<{ content: Uint8Array; claim: Claim }> {
  let findings: AccessibilityFinding[] = [];
  if (mayClaim) {
    stateFacts(file, true);
    const content = await writePdf(file);
    findings = await findingsOf(content);
    if (findings.length === 0) return { content, claim: { made: true, findings } };
  }
  stateFacts(file, false);
  return { content: await writePdf(file), claim: { made: false, findings: findings.slice(0, mostFindings) } };
}

async function findingsOf(content: Uint8Array): Promise<AccessibilityFinding[]> {
  // Loaded where it is needed, because reports without tags do without it.
  const { checkAccessibility } = await import("../accessibility/check-accessibility.js");
  try {
    return await checkAccessibility(content);
  } catch (error) {
    return [{ rule: "06-002", message: `The document could not be checked: ${errorMessage(error)}` }];
  }
}

/** As many as somebody reads. */
const mostFindings = 20;

interface Attached {
  before: AttachedPart[];
  after: AttachedPart[];
  refused: RefusedAttachment[];
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

  /** Those that can be used, in order, and what was left out. */
  async all(order: FinishOrder): Promise<Attached> {
    const attached: Attached = { before: [], after: [], refused: [] };
    for (const [index, content] of [...order.before, ...order.after].entries()) {
      const side = index < order.before.length ? attached.before : attached.after;
      try {
        side.push(await this.attached(content));
      } catch (error) {
        attached.refused.push({ index, ...refusalOf(error) });
      }
    }
    return attached;
  }

  private async attached(content: Uint8Array): Promise<AttachedPart> {
    try {
      return this.taken(content);
    } catch (error) {
      if (!(error instanceof PdfFormatError)) throw error;
      return this.taken(await rewritten(content));
    }
  }

  private taken(content: Uint8Array): AttachedPart {
    const part = adoptPart(this.file, readPdf(content));
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
