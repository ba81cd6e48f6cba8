import type { TaggedDocument } from "../accessibility/tagged-document.js";
import type { PdfDictionary, PdfObject } from "../pdf-object.js";
import { isKind } from "../pdf-object.js";
import { dictionaryEntry, listEntry, textEntry } from "../pdf-values.js";
import type { ArchiveFinding } from "./archive-finding.js";

const rule = "6.9";

/** Layers: named configurations that list all of them and leave them alone; no other presentations of the pages. */
export function* checkLayers({ file, catalog, pages }: TaggedDocument): Generator<ArchiveFinding> {
  const names = dictionaryEntry(file, catalog, "Names");
  if (names?.entries.has("AlternatePresentations"))
    yield { rule: "6.10", message: "The document has alternate presentations." };
  for (const { dictionary, number } of pages)
    if (dictionary.entries.has("PresSteps"))
      yield { rule: "6.10", message: "The page has steps of a presentation.", page: number };
  if (catalog.entries.has("Requirements"))
    yield { rule: "6.11", message: "The document asks for certain features of readers (Requirements)." };
  const properties = dictionaryEntry(file, catalog, "OCProperties");
  if (properties === undefined) return;
  const groups = (file.array(properties.entries.get("OCGs")) ?? []).map(numberOf);
  const configurations = [...listEntry(file, properties, "D"), ...listEntry(file, properties, "Configs")]
    .map((each) => file.dictionary(each))
    .filter((each): each is PdfDictionary => each !== undefined);
  const known = new Set<string>();
  for (const configuration of configurations) {
    const name = textEntry(file, configuration, "Name") ?? "";
    if (name === "") yield { rule, message: "A configuration of the layers has no name." };
    else if (known.has(name)) yield { rule, message: `Two configurations of the layers are called ${name}.` };
    known.add(name);
    if (configuration.entries.has("AS")) yield { rule, message: "Layers switch themselves on and off (AS)." };
    if (!configuration.entries.has("Order")) continue;
    const listed = new Set<number>();
    collect(configuration.entries.get("Order") ?? null, listed, 0);
    if (groups.some((group) => !listed.has(group)))
      yield { rule, message: "The order of the layers does not have all of them." };
  }

  function collect(object: PdfObject, into: Set<number>, depth: number): void {
    into.add(numberOf(object));
    if (depth < 100) for (const item of file.array(object) ?? []) collect(item, into, depth + 1);
  }
}

function numberOf(object: PdfObject): number {
  return isKind(object, "reference") ? object.number : 0;
}
