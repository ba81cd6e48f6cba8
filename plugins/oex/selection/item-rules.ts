/** Which items of a project a document leaves out, and why (OEX reference, sections 11 and 17). */
import { type Item, type ItemStatus, isPosition, ownItemStatus } from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import { chosenManufacturers, manufacturerOf } from "./manufacturers.js";

/** What deciding on an item takes of the request. */
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
  /** An article that is not wanted is left out by itself; its parts have manufacturers of their own. */
  isWanted(item: Item): boolean;
  /** What is not part of such a document is left out with everything below it, as views hide it. */
  isOutside(item: Item): boolean;
  /** The same for alternative and optional items. */
  hasPlace(status: ItemStatus): boolean;
  /** What an item counts as by itself. */
  ownStatus(item: Item): ItemStatus;
}

/** The rules that configuration and format make. */
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
