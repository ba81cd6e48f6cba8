/**
 * The shared state of one reading, such as manufacturers and their series: only their first article has the names, later
 * ones have the id.
 */
import type { Manufacturer, ProductPrice, ProjectSettings, Texts } from "../../project/document.js";
import type { ReadWarnings } from "./read-warnings.js";
import { attributeOf, childOf, childrenOf, textsOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** Prices and taxes of one item in the calculation of a file. */
export interface ItemCalculation {
  /** From the records of base and variant prices. */
  productPrices: ProductPrice[];
  /** Tax type to the rate that its record states. */
  taxRates: Map<string, string>;
}

/** The texts of a feature; later features refer to them by its id. */
export interface FeatureTexts {
  nameText: Texts;
  valueText: Texts;
}

/** The amount kept of a file so far. */
export interface KeptAmount {
  elements: number;
  characters: number;
}

/** State of one reading; its parts fill it in document order. */
export interface ReadContext {
  warnings: ReadWarnings;
  kept: KeptAmount;
  settings: ProjectSettings;
  manufacturers: ReadManufacturers;
  features: Map<string, FeatureTexts>;
  calculations: ReadonlyMap<string, ItemCalculation>;
  /** The file has a procedure, whose records take precedence over the prices of items. */
  isCalculated: boolean;
  /** Ids that are taken; an item that repeats one gets another. */
  itemIds: Set<string>;
  /** URIs of the pictures that items use. */
  imageUris: Set<string>;
  /** Distinguishes the ids that are made up for items without one. */
  idSeed: string;
}

/** Adds a warning about a skipped or repaired part of the file. */
export function warn(context: Pick<ReadContext, "warnings">, element: XmlElement, message: string): void {
  context.warnings.add(element.path, message, element.line);
}

/** Manufacturers and series of a file by id; ids may be any text. */
export class ReadManufacturers {
  private readonly known = new Map<string, { name: Texts; series: Map<string, Texts> }>();

  /** Id of an article's manufacturer; empty if it has none. */
  manufacturerId(article: XmlElement): string {
    const element = childOf(article, "manufacturer");
    const id = attributeOf(element, "id") ?? "";
    const manufacturer = this.manufacturer(id);
    if (manufacturer.name.length === 0) manufacturer.name = namesOf(element);
    return id;
  }

  /** Id of an article's series; empty if it has none. */
  seriesId(article: XmlElement, manufacturerId: string): string {
    const element = childOf(article, "series");
    const id = attributeOf(element, "id") ?? "";
    const { series } = this.manufacturer(manufacturerId);
    const known = series.get(id) ?? [];
    series.set(id, known.length === 0 ? namesOf(element) : known);
    return id;
  }

  /** In the form of the project document, if any. */
  all(): Record<string, Manufacturer> | undefined {
    if (this.known.size === 0) return undefined;
    const entries = [...this.known].map(([id, { name, series }]): [string, Manufacturer] => [
      id,
      { name, series: Object.fromEntries(series) },
    ]);
    return Object.fromEntries(entries);
  }

  private manufacturer(id: string): { name: Texts; series: Map<string, Texts> } {
    const known = this.known.get(id) ?? { name: [], series: new Map<string, Texts>() };
    this.known.set(id, known);
    return known;
  }
}

function namesOf(element: XmlElement | undefined): Texts {
  return textsOf(childrenOf(element, "name"));
}
