/** Codes of taxes (OEX reference, section 9.7: `aTaxCode`). */
import type { ProjectDocument, TaxType } from "@slipway/sdk";
import type { ItemTax } from "./area-amounts.js";

/** A tax as the document's lines state it. */
export type Tax = Omit<ItemTax, "value">;

/** By tax category of projects. */
const categoryCodes: ReadonlyMap<string, number> = new Map([
  ["exemption", 0],
  ["exempt", 0],
  ["standard_rate", 1],
  ["reduced_rate", 2],
  ["super_reduced_rate", 3],
  ["strongly_reduced_rate", 3],
  ["parking_rate", 4],
  ["intermediate_rate", 4],
  ["services", 5],
  ["zero_rate", 6],
]);

const firstFreeCode = 100;
const lastFreeCode = 999;

/**
 * The tax codes of one document. Each code has one rate of one tax. The first tax of the project's scheme gets the
 * codes of the categories. Taxes whose code is taken, or whose category the format lacks, get a code from 100 on. The
 * order is that of the scheme, then of the rates, so it does not depend on the order of the items.
 */
export class TaxCodes {
  /** In the order in which a document states its taxes. */
  readonly taxes: readonly Tax[];
  private readonly codes = new Map<string, number>();

  constructor(project: ProjectDocument, taxes: Iterable<Tax>) {
    const scheme = new SchemeOrder(project);
    this.taxes = [...taxes]
      .map((tax) => ({ ...tax, category: tax.category ?? scheme.categoryOf(tax) }))
      .sort((left, right) => scheme.compare(left, right));
    const taken = new Set<number>();
    for (const tax of this.taxes) {
      const code = freeCode(categoryCodes.get(tax.category ?? ""), taken);
      if (code === undefined) continue;
      taken.add(code);
      this.codes.set(tax.key, code);
    }
  }

  /** Undefined if no code is left for the tax. */
  codeOf({ key }: Pick<Tax, "key">): number | undefined {
    return this.codes.get(key);
  }
}

function freeCode(usual: number | undefined, taken: ReadonlySet<number>): number | undefined {
  if (usual !== undefined && !taken.has(usual)) return usual;
  for (let code = firstFreeCode; code <= lastFreeCode; code++) if (!taken.has(code)) return code;
  return undefined;
}

/** The order of taxes and categories in the project's tax scheme. */
class SchemeOrder {
  private readonly types: readonly TaxType[];

  constructor({ settings }: ProjectDocument) {
    const { taxTypes = [], order = [] } = settings.taxScheme ?? {};
    const place = ({ id }: TaxType): number => (order.includes(id) ? order.indexOf(id) : order.length);
    this.types = [...taxTypes].sort((left, right) => place(left) - place(right));
  }

  /** The category with the rate, for sheets that do not state it. */
  categoryOf({ type, rate }: Tax): string {
    const categories = this.types.find(({ id }) => id === type)?.categories ?? [];
    return categories.find((each) => each.rate !== undefined && rate.eq(each.rate))?.id ?? "standard_rate";
  }

  compare(left: Tax, right: Tax): number {
    return (
      this.typePlace(left) - this.typePlace(right) ||
      compareTexts(left.type, right.type) ||
      this.categoryPlace(left) - this.categoryPlace(right) ||
      right.rate.cmp(left.rate) ||
      compareTexts(left.key, right.key)
    );
  }

  private typePlace({ type }: Tax): number {
    return placeOf(this.types, type);
  }

  private categoryPlace({ type, category }: Tax): number {
    return placeOf(this.types.find(({ id }) => id === type)?.categories ?? [], category);
  }
}

/** Unlisted ids sort last. */
function placeOf(list: readonly { id: string }[], id: string | undefined): number {
  const index = list.findIndex((each) => each.id === id);
  return index === -1 ? list.length : index;
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
