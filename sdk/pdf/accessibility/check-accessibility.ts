import type { PdfFile } from "../pdf-file.js";
import type { PdfDictionary } from "../pdf-object.js";
import { readPdf } from "../read-pdf.js";
import { checkAnnotations } from "./check-annotations.js";
import { checkContent } from "./check-content.js";
import { checkDocument } from "./check-document.js";
import { checkFigures } from "./check-figures.js";
import { checkMetadata } from "./check-metadata.js";
import { checkRoles } from "./check-roles.js";
import { checkTables } from "./check-tables.js";
import { FontText } from "./font-text.js";
import { dictionaryEntry, nameEntry, numberEntry } from "./pdf-values.js";
import { headingLevel, nestings } from "./standard-types.js";
import { pageOf, type StructureElement, significantChildren, significantParent } from "./structure-tree.js";
import {
  type AccessibilityFinding,
  finding,
  quoted,
  type TaggedDocument,
  taggedDocument,
} from "./tagged-document.js";

/** Code points that no text has. */
const noCharacters = ["\0", "\ufeff", "\ufffe"];

const advice: Record<string, string> = {
  "09-004": "build tables of <table>, <thead>, <tbody>, <tr>, <th> and <td> alone, with the caption first",
  "09-005": "let <ul> and <ol> contain <li> alone",
};

/** Bit 10 of the permissions: text may be taken out for people who cannot see it. */
const permitsAccessibility = 1 << 9;

const checks = [
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
 * What keeps a PDF from conforming to PDF/UA-1 (ISO 14289-1), as far as a machine can tell; empty where nothing does.
 * The conditions are those of the Matterhorn Protocol 1.1. Whether texts say the right thing remains for people. Throws
 * where the file is damaged.
 */
export function checkAccessibility(pdf: Uint8Array): AccessibilityFinding[] {
  const file = readPdf(pdf, { encrypted: true });
  const encryption = dictionaryEntry(file, file.trailer, "Encrypt");
  // Nothing else can be read of an encrypted document.
  return encryption === undefined ? accessibilityFindings(file) : checkEncryption(file, encryption);
}

/** The same of a file that is not encrypted, also before it is written. Throws `PdfFormatError` where it is damaged. */
export function accessibilityFindings(file: PdfFile): AccessibilityFinding[] {
  const tagged = taggedDocument(file);
  return checks.flatMap((check) => check(tagged));
}

/** Encrypted documents, which could not be looked into further. */
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

/** Headings begin with H1, leave no level out, and are numbered or not, but not both. */
function checkHeadings({ tree }: TaggedDocument): AccessibilityFinding[] {
  const elements = tree?.elements ?? [];
  const found: AccessibilityFinding[] = [];
  let before = 0;
  for (const element of elements) {
    const level = headingLevel(element.type);
    if (level === 0) continue;
    if (before === 0 && level !== 1)
      found.push(finding("14-002", `The first heading is <h${level}>: begin with <h1>.`, element));
    else if (level > before + 1)
      found.push(
        finding(
          "14-003",
          `After <h${before}> comes <h${level}>: use <h${before + 1}>, and size it by CSS.`,
          element,
        ),
      );
    before = level;
  }
  const plain = elements.find(({ type }) => type === "H");
  if (plain !== undefined && before > 0)
    found.push(finding("14-007", "Headings with a level (H1) and without one (H) are mixed.", plain));
  const crowded = elements.find(
    ({ children }) => children.filter((child) => child.kind === "element" && child.type === "H").length > 1,
  );
  if (crowded !== undefined)
    found.push(finding("14-006", "A section has more than one heading without a level.", crowded));
  return found;
}

/** Tables, lists and the like consist of what they may consist of, and their parts stand nowhere else. */
function checkNesting({ tree }: TaggedDocument): AccessibilityFinding[] {
  return (tree?.elements ?? []).flatMap((element) => [...ofElement(element)]);
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
 * Whether what comes later in the structure also comes later in the pages. Within a page the order of painting says
 * little (backgrounds and positioned boxes), so only what begins on an earlier page than its predecessor is a finding.
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

/** Fonts of shown text: embedded, with a meaning for every code, and with a glyph for every character. */
function checkFonts({ file, pages }: TaggedDocument): AccessibilityFinding[] {
  const found = new Map<string, AccessibilityFinding>();
  const fonts = new Map<PdfDictionary, FontText>();
  for (const { number, content } of pages)
    for (const { font, strings, what } of content.painted) {
      if (what !== "text" || font === undefined || strings.every(({ length }) => length === 0)) continue;
      const known = fonts.get(font) ?? new FontText(file, font);
      fonts.set(font, known);
      for (const finding of faults(file, known, strings)) {
        const key = `${finding.rule} ${finding.message}`;
        if (!found.has(key)) found.set(key, { ...finding, page: number });
      }
    }
  return [...found.values()];
}

function* faults(file: PdfFile, font: FontText, strings: Uint8Array[]): Generator<AccessibilityFinding> {
  const name = quoted(
    (nameEntry(file, font.font, "BaseFont") ?? "without a name").replace(/^[A-Z]{6}\+/, ""),
  );
  if (!font.isEmbedded())
    yield { rule: "31-009", message: `The font ${name} is not embedded in the document.` };
  const codes = strings.flatMap((bytes) => font.codes(bytes));
  if (codes.some((code) => font.isMissing(code)))
    yield {
      rule: "31-030",
      message: `The text ${quoted(font.text(strings))} has a character that the font ${name} lacks: change the character or the font.`,
    };
  const shown = codes.filter((code) => !font.isMissing(code)).map((code) => font.character(code));
  if (shown.includes(undefined))
    yield {
      rule: "10-001",
      message: `The text ${quoted(font.text(strings))} has characters of which the font ${name} does not tell the meaning: use another font.`,
    };
  if (shown.some((character) => noCharacters.includes(character ?? "")))
    yield {
      rule: "31-028",
      message: `The font ${name} gives a character a meaning that no text has: use another font.`,
    };
}
