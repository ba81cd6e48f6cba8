/** State shared while writing a file. */
import type { ProjectDocument, Text } from "../../project/document.js";
import type { XmlAttributes, XmlWriter } from "../xml/xml-writer.js";
import type { ItemSelection } from "./select-items.js";

/** The project, the selection of its items, and what need not be written again. */
export interface WriteContext {
  project: ProjectDocument;
  selection: ItemSelection;
  /** The items become part of another document, which contains their quantities, prices and user changes. */
  asFragment: boolean;
  /** Write only those kept parts that identify the product data. */
  listPricesOnly: boolean;
  /** Manufacturers, and series as "manufacturer series", whose names have been written. */
  named: Set<string>;
  /** Texts of features to the id of the feature that has them. */
  featureTexts: Map<string, string>;
  /** The number of features so far. */
  features: number;
}

/** The initial state for writing a file. */
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

/** "1" or "0"; undefined if the flag is not set. */
export function flag(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? "1" : "0";
}

/** Writes `<name lang='…'>` for every text; "und" is written without a language. */
export function writeTexts(writer: XmlWriter, name: string, texts: readonly Text[] | undefined): void {
  for (const { lang, value, format } of texts ?? []) {
    writer.element(name, value, { lang: lang === "und" ? undefined : lang, format });
  }
}

/** Writes an element that contains only texts. */
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

/** Version of the basket XML that these files use. */
const basketXmlVersion = "1.8.10";

/** Writes `versionInfo`: the writing program and the format version. */
export function writeVersion(writer: XmlWriter): void {
  writer.element("versionInfo", "", {
    vendorKey: "Slipway",
    appKey: "Slipway",
    appVersion: "1",
    bskXmlVersion: basketXmlVersion,
  });
}
