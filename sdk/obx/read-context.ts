/** What the parts of one reading share. */
import type { ProductPrice, ProjectSettings, Texts } from "../project/document.js";
import type { KeptAmount } from "./read-kept.js";
import type { ReadManufacturers } from "./read-manufacturers.js";
import type { ReadWarnings } from "./read-warnings.js";
import type { XmlElement } from "./xml-tree.js";

/** What the calculation of a file says about one item beyond condition records. */
export interface ItemCalculation {
  /** From the records of base and variant prices; empty when there are none. */
  productPrices: ProductPrice[];
  /** Tax type to the rate that its record states. */
  taxRates: Map<string, string>;
}

/** The texts of a feature; later features refer to them by its id. */
export interface FeatureTexts {
  nameText: Texts;
  valueText: Texts;
}

/** State of one reading; its parts fill it in document order. */
export interface ReadContext {
  warnings: ReadWarnings;
  kept: KeptAmount;
  settings: ProjectSettings;
  manufacturers: ReadManufacturers;
  features: Map<string, FeatureTexts>;
  calculations: ReadonlyMap<string, ItemCalculation>;
  /** The file brings a procedure, whose records decide over what items state. */
  isCalculated: boolean;
  /** Ids that are taken; an item that repeats one gets another. */
  itemIds: Set<string>;
  /** URIs of the pictures that items use. */
  imageUris: Set<string>;
  /** Distinguishes the ids that are made up for items without one. */
  idSeed: string;
}

/** Says that something in the file was skipped or repaired. */
export function warn(context: Pick<ReadContext, "warnings">, element: XmlElement, message: string): void {
  context.warnings.add(element.path, message, element.line);
}
