import {
  dictionaryEntry,
  entry,
  flagEntry,
  listEntry,
  nameEntry,
  plainDictionary,
  streamEntry,
  textEntry,
} from "../pdf-values.js";
import { readXmp, xmpProperty } from "../xmp.js";
import { standardTypes } from "./standard-types.js";
import { pageOf } from "./structure-tree.js";
import type { AccessibilityFinding, TaggedDocument } from "./tagged-document.js";

type Findings = Generator<AccessibilityFinding>;

/** Catalog: tagging, language, window title, scripts, forms, optional content. */
export function* checkDocument(tagged: TaggedDocument): Findings {
  yield* marks(tagged);
  yield* language(tagged);
  yield* window(tagged);
  yield* actions(tagged);
  yield* forms(tagged);
  yield* optionalContent(tagged);
}

function* marks({ file, catalog, tree }: TaggedDocument): Findings {
  const information = dictionaryEntry(file, catalog, "MarkInfo");
  if (information === undefined || flagEntry(file, information, "Marked") !== true)
    yield {
      rule: "clause 7.1",
      message: 'The document is not tagged: set "accessibility" to true in template.json.',
    };
  if (information !== undefined && flagEntry(file, information, "Suspects") === true)
    yield { rule: "01-007", message: "The document says of itself that its tags are suspect." };
  const top = tree?.top ?? [];
  if (top.length !== 1 || top[0]?.type !== "Document")
    yield {
      rule: "clause 7.1",
      message: "The structure of the document does not begin with one element Document.",
    };
}

function* language({ file, catalog, tree }: TaggedDocument): Findings {
  const whole = textEntry(file, catalog, "Lang");
  if (whole === undefined || whole === "")
    yield { rule: "11-006", message: "The document does not say its language: give <html> a lang." };
  else if (!isLanguage(whole))
    yield { rule: "11-006", message: `"${whole}" is not a language of a document: use one such as "de-CH".` };
  const others = new Set(
    (tree?.elements ?? []).flatMap(({ dictionary }) => textEntry(file, dictionary, "Lang") ?? []),
  );
  for (const other of others)
    if (other !== "" && !isLanguage(other))
      yield {
        rule: "11-001",
        message: `The lang "${other}" of an element is no language: use one such as "fr".`,
      };
}

function* window({ file, catalog }: TaggedDocument): Findings {
  const preferences = dictionaryEntry(file, catalog, "ViewerPreferences");
  const displays = preferences && flagEntry(file, preferences, "DisplayDocTitle");
  if (displays === undefined)
    yield {
      rule: "07-001",
      message: "The document does not ask readers to show its title: give it a <title>.",
    };
  else if (!displays)
    yield {
      rule: "07-002",
      message: "The document asks readers to show its file name instead of its title.",
    };
}

function* actions({ file, catalog }: TaggedDocument): Findings {
  const names = dictionaryEntry(file, catalog, "Names");
  const opening = plainDictionary(file, entry(file, catalog, "OpenAction"));
  const runs =
    (opening !== undefined && ["JavaScript", "Launch"].includes(nameEntry(file, opening, "S") ?? "")) ||
    entry(file, catalog, "AA") !== undefined ||
    (names && entry(file, names, "JavaScript")) !== undefined;
  if (runs)
    yield {
      rule: "clause 7.19",
      message: "The document runs scripts or actions by itself, which people cannot foresee: leave them out.",
    };
}

function* forms({ file, catalog }: TaggedDocument): Findings {
  const form = dictionaryEntry(file, catalog, "AcroForm");
  if (form !== undefined && entry(file, form, "XFA") !== undefined)
    yield {
      rule: "25-001",
      message: "The document has an XFA form, which screen readers cannot read: leave it out.",
    };
}

function* optionalContent({ file, catalog }: TaggedDocument): Findings {
  const properties = dictionaryEntry(file, catalog, "OCProperties");
  if (properties === undefined) return;
  const configurations = [...listEntry(file, properties, "D"), ...listEntry(file, properties, "Configs")]
    .map((each) => plainDictionary(file, each))
    .filter((each) => each !== undefined);
  if (configurations.some((each) => (textEntry(file, each, "Name") ?? "") === ""))
    yield { rule: "20-001", message: "A configuration of the document's layers has no name." };
  if (configurations.some((each) => entry(file, each, "AS") !== undefined))
    yield { rule: "20-003", message: "Layers of the document switch themselves on and off." };
}

/** Whether a text is a well-formed language tag (RFC 5646); the registry is not consulted. */
function isLanguage(text: string): boolean {
  try {
    return /^[a-z]{2,3}(-|$)/i.test(text) && new Intl.Locale(text).language !== "und";
  } catch {
    return false;
  }
}

const dublinCore = "http://purl.org/dc/elements/1.1/";
const pdfUa = "http://www.aiim.org/pdfua/ns/id/";

/** XMP: its presence, the title, and the claim of conformance. */
export function* checkMetadata({ file, catalog }: TaggedDocument): Findings {
  const stream = streamEntry(file, catalog, "Metadata");
  if (stream === undefined) {
    yield {
      rule: "06-001",
      message: "The document has no XMP metadata, so it cannot say what it conforms to.",
    };
    return;
  }
  const packet = readXmp(file.content(stream));
  if (xmpProperty(packet, pdfUa, "part")?.trim() !== "1")
    yield {
      rule: "06-002",
      message:
        "The document does not say that it conforms to PDF/UA-1: the host lets it say so when nothing else is wrong.",
    };
  const title = xmpProperty(packet, dublinCore, "title");
  if (title === undefined || title.trim() === "")
    yield { rule: "06-003", message: "The document has no title in its metadata: give it a <title>." };
}

/** Element types must be standard types or mapped to one. */
export function* checkRoles({ file, tree }: TaggedDocument): Findings {
  if (tree === undefined) return;
  const map = dictionaryEntry(file, tree.root, "RoleMap");
  for (const written of tree.roles.keys()) {
    const target = map && nameEntry(file, map, written);
    if (standardTypes.has(written) && target !== written)
      yield { rule: "02-004", message: `The standard type ${written} is mapped to another one, ${target}.` };
  }
  const unknown = new Map<string, number | undefined>();
  for (const element of tree.elements)
    if (!standardTypes.has(element.type) && !unknown.has(element.written))
      unknown.set(element.written, pageOf(element));
  for (const [written, page] of unknown) {
    const circular =
      tree.roles.has(written) &&
      map !== undefined &&
      isCircular(written, (type) => nameEntry(file, map, type));
    yield {
      rule: circular ? "02-003" : "02-001",
      message: circular
        ? `The mapping of the type ${written} goes round in a circle.`
        : `An element has the type ${written}, which is no standard type and is mapped to none: use another HTML element.`,
      ...(page !== undefined && { page }),
    };
  }
}

function isCircular(type: string, next: (type: string) => string | undefined): boolean {
  const passed = new Set<string>();
  let current: string | undefined = type;
  while (current !== undefined && !passed.has(current)) {
    passed.add(current);
    current = next(current);
  }
  return current !== undefined;
}
