import { PDFDict } from "@cantoo/pdf-lib";
import { dictionaryEntry, entry, flagEntry, listEntry, nameEntry, textEntry } from "./pdf-values.js";
import type { AccessibilityFinding, TaggedDocument } from "./tagged-document.js";

/** Catalog: tagging, language, window title, scripts, forms, optional content. */
export function checkDocument(tagged: TaggedDocument): AccessibilityFinding[] {
  return [
    ...marks(tagged),
    ...language(tagged),
    ...window(tagged.catalog),
    ...actions(tagged.catalog),
    ...forms(tagged.catalog),
    ...optionalContent(tagged),
  ];
}

function marks({ catalog, tree }: TaggedDocument): AccessibilityFinding[] {
  const found: AccessibilityFinding[] = [];
  const information = dictionaryEntry(catalog, "MarkInfo");
  if (information === undefined || flagEntry(information, "Marked") !== true)
    found.push({
      rule: "clause 7.1",
      message: 'The document is not tagged: set "accessibility" to true in template.json.',
    });
  if (information !== undefined && flagEntry(information, "Suspects") === true)
    found.push({ rule: "01-007", message: "The document says of itself that its tags are suspect." });
  const top = tree?.top ?? [];
  if (top.length !== 1 || top[0]?.type !== "Document")
    found.push({
      rule: "clause 7.1",
      message: "The structure of the document does not begin with one element Document.",
    });
  return found;
}

function language({ catalog, tree }: TaggedDocument): AccessibilityFinding[] {
  const found: AccessibilityFinding[] = [];
  const whole = textEntry(catalog, "Lang");
  if (whole === undefined || whole === "")
    found.push({ rule: "11-006", message: "The document does not say its language: give <html> a lang." });
  else if (!isLanguage(whole))
    found.push({
      rule: "11-006",
      message: `"${whole}" is not a language of a document: use one such as "de-CH".`,
    });
  const others = new Set(
    (tree?.elements ?? []).flatMap(({ dictionary }) => textEntry(dictionary, "Lang") ?? []),
  );
  for (const other of others)
    if (other !== "" && !isLanguage(other))
      found.push({
        rule: "11-001",
        message: `The lang "${other}" of an element is no language: use one such as "fr".`,
      });
  return found;
}

function window(catalog: PDFDict): AccessibilityFinding[] {
  const preferences = dictionaryEntry(catalog, "ViewerPreferences");
  const displays = preferences && flagEntry(preferences, "DisplayDocTitle");
  if (displays === undefined)
    return [
      { rule: "07-001", message: "The document does not ask readers to show its title: give it a <title>." },
    ];
  if (!displays)
    return [
      { rule: "07-002", message: "The document asks readers to show its file name instead of its title." },
    ];
  return [];
}

function actions(catalog: PDFDict): AccessibilityFinding[] {
  const names = dictionaryEntry(catalog, "Names");
  const opening = entry(catalog, "OpenAction");
  const runs = opening instanceof PDFDict && ["JavaScript", "Launch"].includes(nameEntry(opening, "S") ?? "");
  if (!runs && entry(catalog, "AA") === undefined && (names && entry(names, "JavaScript")) === undefined)
    return [];
  return [
    {
      rule: "clause 7.19",
      message: "The document runs scripts or actions by itself, which people cannot foresee: leave them out.",
    },
  ];
}

function forms(catalog: PDFDict): AccessibilityFinding[] {
  const form = dictionaryEntry(catalog, "AcroForm");
  if (form === undefined || entry(form, "XFA") === undefined) return [];
  return [
    {
      rule: "25-001",
      message: "The document has an XFA form, which screen readers cannot read: leave it out.",
    },
  ];
}

function optionalContent({ catalog, document }: TaggedDocument): AccessibilityFinding[] {
  const properties = dictionaryEntry(catalog, "OCProperties");
  if (properties === undefined) return [];
  const configurations = [...listEntry(properties, "D"), ...listEntry(properties, "Configs")]
    .map((each) => document.context.lookup(each))
    .filter((each) => each instanceof PDFDict);
  const found: AccessibilityFinding[] = [];
  if (configurations.some((each) => (textEntry(each, "Name") ?? "") === ""))
    found.push({ rule: "20-001", message: "A configuration of the document's layers has no name." });
  if (configurations.some((each) => entry(each, "AS") !== undefined))
    found.push({ rule: "20-003", message: "Layers of the document switch themselves on and off." });
  return found;
}

/** Whether a text is a language by its form (RFC 5646): a registered tag is not looked up. */
function isLanguage(text: string): boolean {
  try {
    return /^[a-z]{2,3}(-|$)/i.test(text) && new Intl.Locale(text).language !== "und";
  } catch {
    return false;
  }
}
