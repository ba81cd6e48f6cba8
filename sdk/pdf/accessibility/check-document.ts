import {
  dictionaryEntry,
  entry,
  flagEntry,
  listEntry,
  nameEntry,
  plainDictionary,
  textEntry,
} from "./pdf-values.js";
import type { AccessibilityFinding, TaggedDocument } from "./tagged-document.js";

/** Catalog: tagging, language, window title, scripts, forms, optional content. */
export function checkDocument(tagged: TaggedDocument): AccessibilityFinding[] {
  return [
    ...marks(tagged),
    ...language(tagged),
    ...window(tagged),
    ...actions(tagged),
    ...forms(tagged),
    ...optionalContent(tagged),
  ];
}

function marks({ file, catalog, tree }: TaggedDocument): AccessibilityFinding[] {
  const found: AccessibilityFinding[] = [];
  const information = dictionaryEntry(file, catalog, "MarkInfo");
  if (information === undefined || flagEntry(file, information, "Marked") !== true)
    found.push({
      rule: "clause 7.1",
      message: 'The document is not tagged: set "accessibility" to true in template.json.',
    });
  if (information !== undefined && flagEntry(file, information, "Suspects") === true)
    found.push({ rule: "01-007", message: "The document says of itself that its tags are suspect." });
  const top = tree?.top ?? [];
  if (top.length !== 1 || top[0]?.type !== "Document")
    found.push({
      rule: "clause 7.1",
      message: "The structure of the document does not begin with one element Document.",
    });
  return found;
}

function language({ file, catalog, tree }: TaggedDocument): AccessibilityFinding[] {
  const found: AccessibilityFinding[] = [];
  const whole = textEntry(file, catalog, "Lang");
  if (whole === undefined || whole === "")
    found.push({ rule: "11-006", message: "The document does not say its language: give <html> a lang." });
  else if (!isLanguage(whole))
    found.push({
      rule: "11-006",
      message: `"${whole}" is not a language of a document: use one such as "de-CH".`,
    });
  const others = new Set(
    (tree?.elements ?? []).flatMap(({ dictionary }) => textEntry(file, dictionary, "Lang") ?? []),
  );
  for (const other of others)
    if (other !== "" && !isLanguage(other))
      found.push({
        rule: "11-001",
        message: `The lang "${other}" of an element is no language: use one such as "fr".`,
      });
  return found;
}

function window({ file, catalog }: TaggedDocument): AccessibilityFinding[] {
  const preferences = dictionaryEntry(file, catalog, "ViewerPreferences");
  const displays = preferences && flagEntry(file, preferences, "DisplayDocTitle");
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

function actions({ file, catalog }: TaggedDocument): AccessibilityFinding[] {
  const names = dictionaryEntry(file, catalog, "Names");
  const opening = plainDictionary(file, entry(file, catalog, "OpenAction"));
  const runs =
    opening !== undefined && ["JavaScript", "Launch"].includes(nameEntry(file, opening, "S") ?? "");
  if (
    !runs &&
    entry(file, catalog, "AA") === undefined &&
    (names && entry(file, names, "JavaScript")) === undefined
  )
    return [];
  return [
    {
      rule: "clause 7.19",
      message: "The document runs scripts or actions by itself, which people cannot foresee: leave them out.",
    },
  ];
}

function forms({ file, catalog }: TaggedDocument): AccessibilityFinding[] {
  const form = dictionaryEntry(file, catalog, "AcroForm");
  if (form === undefined || entry(file, form, "XFA") === undefined) return [];
  return [
    {
      rule: "25-001",
      message: "The document has an XFA form, which screen readers cannot read: leave it out.",
    },
  ];
}

function optionalContent({ file, catalog }: TaggedDocument): AccessibilityFinding[] {
  const properties = dictionaryEntry(file, catalog, "OCProperties");
  if (properties === undefined) return [];
  const configurations = [...listEntry(file, properties, "D"), ...listEntry(file, properties, "Configs")]
    .map((each) => plainDictionary(file, each))
    .filter((each) => each !== undefined);
  const found: AccessibilityFinding[] = [];
  if (configurations.some((each) => (textEntry(file, each, "Name") ?? "") === ""))
    found.push({ rule: "20-001", message: "A configuration of the document's layers has no name." });
  if (configurations.some((each) => entry(file, each, "AS") !== undefined))
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
