import type { PdfFile } from "../pdf-file.js";
import { isKind, type PdfObject, pdfReference } from "../pdf-object.js";
import { numberEntry } from "../pdf-values.js";
import { FontText } from "./font-text.js";
import type { MarkedSequence, Painted } from "./page-content.js";
import type { MarkedReference } from "./structure-tree.js";
import {
  type AccessibilityFinding,
  type DocumentPage,
  grouped,
  quoted,
  type TaggedDocument,
} from "./tagged-document.js";

/** All page content is either in the structure or an artifact, never both. */
export function checkContent(tagged: TaggedDocument): AccessibilityFinding[] {
  const references = grouped(tagged.tree?.contents ?? [], ({ page }) => page);
  return tagged.pages.flatMap((page) => [
    ...outside(tagged.file, page),
    ...mixed(page),
    ...identifiers(page, references.get(page.number) ?? [], tagged),
  ]);
}

const names = { text: "Text", picture: "A picture", drawing: "A drawing (a border, background or line)" };

function outside(file: PdfFile, { content, number }: DocumentPage): AccessibilityFinding[] {
  const loose = content.painted.filter(({ place }) => place === undefined);
  return [...grouped(loose, ({ what }) => what)].map(([what, painted]) => ({
    rule: "01-005",
    message: `${names[what]}${what === "text" ? ` ${quoted(textOf(file, painted))}` : ""} is neither tagged nor marked as an artifact.`,
    page: number,
  }));
}

function textOf(file: PdfFile, painted: Painted[]): string {
  return painted.map(({ font, strings }) => (font ? new FontText(file, font).text(strings) : "")).join(" ");
}

function mixed({ content, number }: DocumentPage): AccessibilityFinding[] {
  const found: AccessibilityFinding[] = [];
  if (content.hasArtifactInTag)
    found.push({
      rule: "01-003",
      message: "Something that is an artifact stands inside of tagged content.",
      page: number,
    });
  if (content.hasTagInArtifact)
    found.push({ rule: "01-004", message: "Tagged content stands inside of an artifact.", page: number });
  for (const times of content.forms.values())
    if (times > 1)
      found.push({
        rule: "30-002",
        message: "A tagged drawing is shown more than once on the page.",
        page: number,
      });
  return found;
}

/** Each sequence must be referenced by the structure and, in reverse, by the parent tree. */
function identifiers(
  page: DocumentPage,
  referenced: MarkedReference[],
  tagged: TaggedDocument,
): AccessibilityFinding[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const references = grouped(referenced, keyOf);
  for (const sequence of page.content.sequences) {
    const { identifier } = sequence;
    const key = keyOf(sequence);
    if (seen.has(key)) found.add(`Two pieces of content have the same identifier ${identifier}.`);
    seen.add(key);
    const [reference, ...more] = references.get(key) ?? [];
    if (reference === undefined)
      found.add(`The content ${identifier} of the page is missing in the structure.`);
    else if (more.length > 0) found.add(`The content ${identifier} of the page is in the structure twice.`);
    else if (parentOf(page, sequence, tagged) !== reference.parent.dictionary)
      found.add(`The parent tree does not lead from the content ${identifier} of the page to its element.`);
  }
  for (const [key, [reference]] of references)
    if (reference !== undefined && !seen.has(key))
      found.add(`The structure refers to the content ${reference.identifier}, which the page does not have.`);
  return [...found].map((message) => ({ rule: "clause 7.1", message, page: page.number }));
}

function parentOf(
  page: DocumentPage,
  { identifier, stream }: MarkedSequence,
  { tree, file }: TaggedDocument,
): PdfObject | undefined {
  const owner = stream === undefined ? page.dictionary : file.dictionary(pdfReference(stream));
  const key = owner && numberEntry(file, owner, "StructParents");
  const parents = key === undefined ? undefined : tree?.parents.get(key);
  return isKind(parents, "array") ? file.resolve(parents.items[identifier]) : undefined;
}

function keyOf({ identifier, stream }: MarkedSequence): string {
  return `${stream ?? "page"} ${identifier}`;
}
