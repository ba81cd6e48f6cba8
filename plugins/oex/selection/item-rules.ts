/** Rules for leaving out items of a project (OEX reference, sections 11 and 17). */
import { type Item, type ItemStatus, isPosition, ownItemStatus } from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import { chosenManufacturers, manufacturerOf } from "./manufacturers.js";

/** The parts of the export context that the selection needs. */
export type SelectionContext = Pick<
  ExportContext,
  "project" | "configuration" | "format" | "procedure" | "repairs"
>;

/** The rules of one export. */
export interface ItemRules {
  folders: boolean;
  sets: boolean;
  texts: boolean;
  /** Whether the numbers of parents and composites are written. */
  structure: boolean;
  /** An unwanted article is left out without its parts, which have their own manufacturers. */
  isWanted(item: Item): boolean;
  /** Whether the document type excludes an item; it is then left out with all descendants, as in views. */
  isOutside(item: Item): boolean;
  /** Whether the document may contain items with this status. */
  hasPlace(status: ItemStatus): boolean;
  /** Status of an item regardless of the items above. */
  ownStatus(item: Item): ItemStatus;
}

/** The rules for a configuration and format. */
export function itemRules({ configuration, format, procedure }: SelectionContext): ItemRules {
  const isOrder = format.type === "ORDERS";
  const knowsStructure = format.version !== "2.3";
  const { structuralInformation: structure, exportAlternativeArticles } = configuration;
  const wanted = wantedManufacturers(configuration);
  return {
    folders: configuration.exportFolders && structure && knowsStructure,
    sets: configuration.exportSetArticle && structure && knowsStructure,
    texts: configuration.exportTextArticles && knowsStructure,
    structure,
    isWanted: (item) => wanted === undefined || wanted.has(manufacturerOf(item) ?? ""),
    isOutside: (item) => isPosition(item) && (isOrder ? item.nonOrder : item.nonOffer) === true,
    hasPlace: (status) => status === "active" || (!isOrder && exportAlternativeArticles),
    ownStatus: (item) => ownItemStatus(item, procedure.name),
  };
}

function wantedManufacturers(configuration: SelectionContext["configuration"]): Set<string> | undefined {
  const chosen = chosenManufacturers(configuration);
  return chosen === undefined ? undefined : new Set(chosen.ids);
}
