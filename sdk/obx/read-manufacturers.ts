/** Manufacturers and their series. Names are given with the first article of each; later ones carry the id only. */
import type { Manufacturer, Texts } from "../project/document.js";
import { textsOf } from "./localized-texts.js";
import { attributeOf, childOf, childrenOf } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** What a file says of manufacturers and series by their ids, which may be any text. */
export class ReadManufacturers {
  private readonly known = new Map<string, { name: Texts; series: Map<string, Texts> }>();

  /** Id of an article's manufacturer; empty where it has none. */
  manufacturerId(article: XmlElement): string {
    const element = childOf(article, "manufacturer");
    const id = attributeOf(element, "id") ?? "";
    const manufacturer = this.manufacturer(id);
    if (manufacturer.name.length === 0) manufacturer.name = namesOf(element);
    return id;
  }

  /** Id of an article's series; empty where it has none. */
  seriesId(article: XmlElement, manufacturerId: string): string {
    const element = childOf(article, "series");
    const id = attributeOf(element, "id") ?? "";
    const { series } = this.manufacturer(manufacturerId);
    const known = series.get(id) ?? [];
    series.set(id, known.length === 0 ? namesOf(element) : known);
    return id;
  }

  /** As the project document has them; undefined where there are none. */
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
