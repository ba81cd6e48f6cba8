/** Maps condition types to kinds of discounts and surcharges (OEX reference, section 9.7: `aTypeDis`, `aTypeSur`). */
import {
  chooseText,
  labelLanguages,
  type PricingProcedure,
  type ProjectDocument,
  type TaxType,
  type Texts,
} from "@slipway/sdk";
import type { PriceArea } from "../document/oex-document.js";
import { FieldRepairs, type Repairs } from "../repair/repairs.js";
import type { ItemTax } from "./area-amounts.js";
import type { Part, ProcedureParts } from "./procedure-parts.js";

/** Whether a condition applies to an item or to the whole document. */
export type ConditionPlace = "item" | "header";

/**
 * Discounts of the standard procedure with a known meaning: the basic discount from the price profile, the first
 * absolute one (special), and the first one on the whole document (volume). The procedure does not define the meaning
 * of the others or of surcharges; they are "other" ones, distinguished by number.
 */
const knownDiscounts: ReadonlyMap<string, string> = new Map([
  ["DIP10", "BD"],
  ["PDIP00", "BD"],
  ["DIA00", "SD"],
  ["PDIA00", "SD"],
  ["HDIP00", "VO"],
]);

/** D1 to D9 and S1 to S9. */
const numbers = 9;

const placeOfPart: Partial<Record<Part, ConditionPlace>> = {
  step: "item",
  change: "header",
  charge: "header",
};

/**
 * Assigns a kind to each condition type, per area and separately for items and header. Numbers follow the order of the
 * procedure's lines, used or not, so that a condition type has the same kind in all documents. From the ninth on,
 * condition types share the last number.
 */
export class ConditionKinds {
  private readonly discounts = new Map<string, string>();
  private readonly surcharges = new Map<string, string>();

  constructor({ lines }: PricingProcedure, { of }: ProcedureParts) {
    const counts = new Map<string, number>();
    const next = (series: string): number => {
      const count = Math.min((counts.get(series) ?? 0) + 1, numbers);
      counts.set(series, count);
      return count;
    };
    for (const line of [...lines].sort((a, b) => a.level - b.level || a.counter - b.counter)) {
      const found = of.get(line);
      const place = found === undefined ? undefined : placeOfPart[found.part];
      if (found === undefined || place === undefined || line.conditionType === undefined) continue;
      const series = `${found.area} ${place}`;
      const key = `${series} ${line.conditionType}`;
      if (this.surcharges.has(key)) continue;
      this.surcharges.set(key, `S${next(`S ${series}`)}`);
      const discount = knownDiscounts.get(line.conditionType) ?? `D${next(`D ${series}`)}`;
      this.discounts.set(key, discount);
    }
  }

  /** Code of a discount (`isDiscount`) or surcharge; the last number for condition types outside the procedure. */
  kindOf(area: PriceArea, place: ConditionPlace, conditionType: string, isDiscount: boolean): string {
    const kinds = isDiscount ? this.discounts : this.surcharges;
    return kinds.get(`${area} ${place} ${conditionType}`) ?? `${isDiscount ? "D" : "S"}${numbers}`;
  }
}

// Names of discounts and surcharges (OEX reference, section 6.9: `vConditionText`).

const longestName = 35;

/** Names in the language of the document, each read and repaired only once. */
export class LineTexts {
  private readonly languages: readonly string[];
  private readonly fields: FieldRepairs;
  private readonly known = new WeakMap<Texts, string>();
  private readonly fitting = new Map<string, string>();

  constructor(
    project: ProjectDocument,
    locale: string,
    private readonly repairs: Repairs,
  ) {
    this.languages = labelLanguages(project, locale);
    this.fields = new FieldRepairs(repairs);
  }

  /** At most 35 characters on one line; empty without a name. */
  of(label: Texts): string {
    const known = this.known.get(label);
    if (known !== undefined) return known;
    const { value, unreadable } = chooseText(label, this.languages);
    for (const { text, message } of unreadable) {
      this.repairs.report({
        field: "name of a price line",
        value: text.value,
        change: `left out: ${message}`,
      });
    }
    const name = this.fit(value);
    this.known.set(label, name);
    return name;
  }

  private fit(value: string): string {
    const known = this.fitting.get(value);
    if (known !== undefined) return known;
    const name = this.fields.line("name of a price line", value, longestName) ?? "";
    this.fitting.set(value, name);
    return name;
  }
}

// Codes of taxes (OEX reference, section 9.7: `aTaxCode`).

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
