import type { PdfFile } from "../pdf-file.js";
import type { PdfDictionary } from "../pdf-object.js";
import { dictionaryEntry, numberEntry } from "../pdf-values.js";
import { readPdf } from "../read-pdf.js";
import { checkAnnotations } from "./check-annotations.js";
import { checkContent } from "./check-content.js";
import { checkDocument, checkMetadata, checkRoles } from "./check-document.js";
import { checkFigures } from "./check-figures.js";
import { checkFonts } from "./check-fonts.js";
import { checkTables } from "./check-tables.js";
import { headingLevel, nestings } from "./standard-types.js";
import { pageOf, type StructureElement, significantChildren, significantParent } from "./structure-tree.js";
import {
  type AccessibilityFinding,
  finding,
  type TaggedDocument,
  taggedDocument,
} from "./tagged-document.js";

const advice: Record<string, string> = {
  "09-004": "build tables of <table>, <thead>, <tbody>, <tr>, <th> and <td> alone, with the caption first",
  "09-005": "let <ul> and <ol> contain <li> alone",
};

/** Bit 10 of the permissions: text extraction for accessibility is allowed. */
const permitsAccessibility = 1 << 9;

const checks: ((document: TaggedDocument) => Iterable<AccessibilityFinding>)[] = [
  checkDocument,
  checkMetadata,
  checkContent,
  checkRoles,
  checkNesting,
  checkHeadings,
  checkTables,
  checkFigures,
  checkAnnotations,
  checkFonts,
  checkReadingOrder,
];

/**
 * Checks a PDF for conformance to PDF/UA-1 (ISO 14289-1), as far as this can be done automatically; returns
 * an empty list if it conforms. The conditions are those of the Matterhorn Protocol 1.1. People still need to
 * check that texts are meaningful. Throws if the file is damaged.
 */
export function checkAccessibility(pdf: Uint8Array): AccessibilityFinding[] {
  const file = readPdf(pdf, { encrypted: true });
  const encryption = dictionaryEntry(file, file.trailer, "Encrypt");
  // The content of an encrypted document cannot be read.
  return encryption === undefined
    ? accessibilityFindings(taggedDocument(file))
    : checkEncryption(file, encryption);
}

/**
 * Checks a document that is not encrypted, even before it is written. Throws `PdfFormatError` if it is damaged.
 */
export function accessibilityFindings(tagged: TaggedDocument): AccessibilityFinding[] {
  return checks.flatMap((check) => [...check(tagged)]);
}

/** Encrypted documents, whose content cannot be checked. */
function checkEncryption(file: PdfFile, encryption: PdfDictionary): AccessibilityFinding[] {
  const permissions = numberEntry(file, encryption, "P");
  if (permissions === undefined)
    return [{ rule: "26-001", message: "The document is encrypted and does not say what it permits." }];
  if ((permissions & permitsAccessibility) === 0)
    return [
      { rule: "26-002", message: "The document is encrypted and forbids screen readers to take its text." },
    ];
  return [
    {
      rule: "clause 7.16",
      message:
        "The document is encrypted, so that nothing else could be checked: print it without a password.",
    },
  ];
}

/** Headings start with H1, skip no level, and are either all numbered or all unnumbered. */
function* checkHeadings({ tree }: TaggedDocument): Generator<AccessibilityFinding> {
  const elements = tree?.elements ?? [];
  let before = 0;
  for (const element of elements) {
    const level = headingLevel(element.type);
    if (level === 0) continue;
    if (before === 0 && level !== 1)
      yield finding("14-002", `The first heading is <h${level}>: begin with <h1>.`, element);
    else if (level > before + 1) {
      const advice = `use <h${before + 1}>, and size it by CSS.`;
      yield finding("14-003", `After <h${before}> comes <h${level}>: ${advice}`, element);
    }
    before = level;
  }
  const plain = elements.find(({ type }) => type === "H");
  if (plain !== undefined && before > 0)
    yield finding("14-007", "Headings with a level (H1) and without one (H) are mixed.", plain);
  const crowded = elements.find(
    ({ children }) => children.filter((child) => child.kind === "element" && child.type === "H").length > 1,
  );
  if (crowded !== undefined)
    yield finding("14-006", "A section has more than one heading without a level.", crowded);
}

/** Tables, lists and other elements only contain allowed children, and their parts occur nowhere else. */
function* checkNesting({ tree }: TaggedDocument): Generator<AccessibilityFinding> {
  for (const element of tree?.elements ?? []) yield* ofElement(element);
}

function* ofElement(element: StructureElement): Generator<AccessibilityFinding> {
  const nesting = nestings.get(element.type);
  if (nesting === undefined) return;
  const { rule, children, content, parents } = nesting;
  const hint = advice[rule] === undefined ? "" : `: ${advice[rule]}`;
  const parent = significantParent(element)?.type ?? "the root";
  if (parents !== undefined && !parents.has(parent))
    yield finding(rule, `An element ${element.type} stands in ${parent}${hint}.`, element);
  for (const child of significantChildren(element)) {
    if (child.kind === "element" && children !== undefined && !children.has(child.type))
      yield finding(rule, `An element ${element.type} contains ${child.type}${hint}.`, child);
    if (child.kind === "content" && content === false)
      yield finding(rule, `An element ${element.type} contains text or a picture of its own${hint}.`, child);
  }
  if (element.type === "LI" && significantChildren(element).length === 0)
    yield finding(rule, "An element LI of a list is empty: leave it out.", element);
}

/**
 * Compares the order of the structure with the order of pages. Painting order within a page is not
 * significant (backgrounds and positioned boxes), so only elements that start on an earlier page than their
 * predecessor are reported.
 */
function checkReadingOrder({ tree }: TaggedDocument): AccessibilityFinding[] {
  return (tree?.elements ?? []).flatMap(astray);
}

function astray(parent: StructureElement): AccessibilityFinding[] {
  let latest = 0;
  for (const child of parent.children) {
    const page = pageOf(child);
    if (page === undefined) continue;
    if (page < latest && child.kind === "element")
      return [
        {
          rule: "09-001",
          message: `An element ${child.type} stands on page ${page}, but is read after content of page ${latest}: put it where it is read.`,
          page,
        },
      ];
    latest = Math.max(latest, page);
  }
  return [];
}
