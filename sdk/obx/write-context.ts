/** What the parts of one writing share. */
import type { ProjectDocument } from "../project/document.js";
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
