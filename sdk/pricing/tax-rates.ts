/** Which rate of which tax an item has, from the project's tax scheme. */
import { ownMember } from "../own-member.js";
import type { ProjectDocument, TaxType, Texts } from "../project/document.js";
import type { Position } from "./positions.js";
import type { PriceErrors } from "./price-errors.js";

const standardCategory = "standard_rate";

export interface TaxRate {
  taxType: string;
  taxCategory: string;
  /** Decimal text. */
  rate: string;
  /** "%", or a currency and a unit such as "EUR/KGM" for a tax by weight. */
  rateUnit: string;
  name: Texts | undefined;
}

export class TaxRates {
  private readonly types: ReadonlyMap<string, TaxType>;
  private readonly schemeId: string;

  constructor(
    project: ProjectDocument,
    private readonly errors: PriceErrors,
  ) {
    const scheme = project.settings.taxScheme;
    this.types = new Map(scheme?.taxTypes.map((type) => [type.id, type]));
    this.schemeId = scheme?.id ?? "";
  }

  /**
   * Undefined when the tax scheme knows no such tax, and, which is reported, when it has no rate for the item's
   * category. An item that names no category has the standard rate.
   */
  find(taxType: string, { item }: Position): TaxRate | undefined {
    const type = this.typeOf(taxType);
    if (type === undefined) return undefined;
    const named = ownMember(item.taxCategories, type.id) ?? ownMember(item.taxCategories, taxType);
    const wanted = named ?? standardCategory;
    const category = type.categories.find(({ id }) => id === wanted);
    const rate = category?.rate ?? (wanted === "exemption" && category !== undefined ? "0" : undefined);
    if (rate === undefined) {
      const where = `Tax scheme "${this.schemeId}" has no rate for category "${wanted}" of ${taxType}`;
      if (named === undefined) this.errors.add(undefined, `${where}, which items without a category have`);
      else this.errors.add(item.id, `${where}; the item is not taxed`);
      return undefined;
    }
    return { taxType: type.id, taxCategory: wanted, rate, rateUnit: type.rateUnit, name: type.name };
  }

  /** The tax of the scheme; "ECO" and "ECO_FR" are the same one, with and without the country. */
  typeOf(taxType: string): TaxType | undefined {
    const [kind] = taxType.split("_", 1);
    return this.types.get(taxType) ?? [...this.types.values()].find(({ id }) => id.split("_", 1)[0] === kind);
  }
}
