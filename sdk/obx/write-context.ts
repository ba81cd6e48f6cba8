/** What the parts of one writing share. */
import type { ProjectDocument, Text } from "../project/document.js";
import type { XmlAttributes, XmlWriter } from "../xml/xml-writer.js";
import type { ItemSelection } from "./select-items.js";

/** The project, what of it is written, and what was written already and need not be again. */
export interface WriteContext {
  project: ProjectDocument;
  selection: ItemSelection;
  /**
   * The items become part of another document, which has their quantities and prices and what a user changed of them.
   */
  asFragment: boolean;
  /** Of the kept parts, only those are written that lead to the product data. */
  listPricesOnly: boolean;
  /** Manufacturers, and series as "manufacturer series", whose names are written. */
  named: Set<string>;
  /** Texts of features to the id of the feature that has them. */
  featureTexts: Map<string, string>;
  /** The number of features so far. */
  features: number;
}

/** The state at the beginning of a writing. */
export function startWriting(
  project: ProjectDocument,
  selection: ItemSelection,
  { asFragment = false, listPricesOnly = false }: { asFragment?: boolean; listPricesOnly?: boolean } = {},
): WriteContext {
  return {
    project,
    selection,
    asFragment,
    listPricesOnly,
    named: new Set(),
    featureTexts: new Map(),
    features: 0,
  };
}

// Flags as the files have them.

/** "1" or "0"; nothing when the flag is not set. */
export function flag(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? "1" : "0";
}

// Texts in several languages, one element per language.

/** Writes `<name lang='…'>` for every text; "und" is written as no language. */
export function writeTexts(writer: XmlWriter, name: string, texts: readonly Text[] | undefined): void {
  for (const { lang, value, format } of texts ?? []) {
    writer.element(name, value, { lang: lang === "und" ? undefined : lang, format });
  }
}

/** Writes an element that holds texts and nothing else. */
export function writeTextGroup(
  writer: XmlWriter,
  group: { element: string; attributes?: XmlAttributes },
  name: string,
  texts: readonly Text[] | undefined,
): void {
  writer.open(group.element, group.attributes);
  writeTexts(writer, name, texts);
  writer.close();
}

// Element `versionInfo`: who wrote the file.

/** Version of the basket XML that these files follow. */
const basketXmlVersion = "1.8.10";

/** Writes `versionInfo`: who wrote the file, and in which version of the format. */
export function writeVersion(writer: XmlWriter): void {
  writer.element("versionInfo", "", {
    vendorKey: "Slipway",
    appKey: "Slipway",
    appVersion: "1",
    bskXmlVersion: basketXmlVersion,
  });
}
