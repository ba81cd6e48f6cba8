/** Rules for leaving out items of a project (OEX reference, sections 11 and 17). */
import { type Item, type ItemStatus, ownItemStatus, type PositionItem } from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import type { LeftOutReason } from "./left-out.js";
import { chosenManufacturers, manufacturerOf } from "./manufacturers.js";
import { isNegative } from "./quantities.js";

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
  /** Why an article is left out without its parts, which have their own manufacturers; undefined if it is not. */
  unwanted(item: Item): LeftOutReason | undefined;
  /** Why an item is left out with all descendants; undefined if it is not. `status`: with that of the items above. */
  obstacle(item: PositionItem, status: ItemStatus): LeftOutReason | undefined;
  /** Status of an item regardless of the items above. */
  ownStatus(item: Item): ItemStatus;
}

/** The rules for a configuration and format. */
export function itemRules({ configuration, format, procedure }: SelectionContext): ItemRules {
  const isOrder = format.type === "ORDERS";
  const knowsStructure = format.version !== "2.3";
  const { structuralInformation: structure, exportAlternativeArticles } = configuration;
  const chosen = chosenManufacturers(configuration);
  const wanted = chosen && new Set(chosen.ids);
  const ofOthers: LeftOutReason = {
    kind: "manufacturer",
    text: `of manufacturers that \`${chosen?.field ?? "manufacturerIds"}\` does not name`,
  };
  return {
    folders: configuration.exportFolders && structure && knowsStructure,
    sets: configuration.exportSetArticle && structure && knowsStructure,
    texts: configuration.exportTextArticles && knowsStructure,
    structure,
    unwanted: (item) =>
      wanted === undefined || wanted.has(manufacturerOf(item) ?? "") ? undefined : ofOthers,
    obstacle(item, status) {
      if ((isOrder ? item.nonOrder : item.nonOffer) === true) return excluded(isOrder);
      if (status !== "active" && (isOrder || !exportAlternativeArticles)) return inactive(status, isOrder);
      return isNegative(item) ? negative : undefined;
    },
    ownStatus: (item) => ownItemStatus(item, procedure.name),
  };
}

const negative: LeftOutReason = { kind: "quantity", text: "a document has no negative quantities" };

function excluded(isOrder: boolean): LeftOutReason {
  return {
    kind: "document-type",
    text: `marked as not for ${isOrder ? "orders" : "quotations"}`,
  };
}

function inactive(status: Exclude<ItemStatus, "active">, isOrder: boolean): LeftOutReason {
  const what = status === "alternative" ? "alternatives" : "optional items";
  const text = isOrder ? `an order has no ${what}` : `\`exportAlternativeArticles\` excludes ${what}`;
  return { kind: "status", text };
}
