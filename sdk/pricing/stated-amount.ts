/** The amounts of a condition line for an item in the currency of the project, before any computation. */
import { Exact, one, zero } from "../locale/exact.js";
import type {
  Amount,
  ConditionRecord,
  Money,
  ProductPrice,
  ProjectSettings,
  Quantity,
  Texts,
} from "../project/document.js";
import { ownMember } from "../schema/own-member.js";
import type { CompiledLine } from "./compiled-procedure.js";
import type { ConditionRecords } from "./condition-records.js";
import type { Position } from "./positions.js";
import type { PriceErrors } from "./price-errors.js";
import type { Rounding } from "./rounding.js";
import type { TaxRate, TaxRates } from "./taxes.js";

/** One amount; money is in the project's currency. */
export interface StatedAmount {
  readonly label: Texts;
  /** Undefined if it cannot be used; the reason has been reported as an error. */
  readonly amount: Amount | undefined;
  /** The number of `amount`, with the sign required by the condition type. */
  readonly number: Exact;
  /** The quantity that a money amount refers to; undefined: one unit of the item. */
  readonly per: Quantity | undefined;
  readonly manual: boolean;
  readonly taxType: string | undefined;
  readonly taxCategory: string | undefined;
}

interface Origin {
  label: Texts;
  per?: Quantity | undefined;
  manual?: boolean;
  tax?: TaxRate;
}

export interface AmountSources {
  records: ConditionRecords;
  taxes: TaxRates;
  converter: CurrencyConverter;
  rounding: Rounding;
  errors: PriceErrors;
}

/**
 * Records take precedence: a project file contains the product prices and tax rates it was computed with as
 * records. Empty if there is no data, for example for a price profile that is not part of the file.
 */
export function amountsOf(line: CompiledLine, position: Position, sources: AmountSources): StatedAmount[] {
  if (position.role !== "priced") return [];
  const amounts = statedAmounts(line, position, sources);
  return amounts.length === 0 && line.computesAlone ? [unstated(line)] : amounts;
}

function statedAmounts(line: CompiledLine, position: Position, sources: AmountSources): StatedAmount[] {
  const records = sources.records.ofItem(position, line);
  if (records.length > 0) return records.map((record) => fromRecord(line, record, position, sources));
  if (line.source === undefined) return [];
  if (line.source.kind === "tax") return fromTaxScheme(line, line.source.taxType, position, sources);
  return fromProductPrice(line, line.source, position, sources);
}

/** For a condition whose value does not depend on an amount. */
function unstated(line: CompiledLine): StatedAmount {
  return {
    label: lineLabel(line),
    amount: undefined,
    number: zero,
    per: undefined,
    manual: false,
    taxType: undefined,
    taxCategory: undefined,
  };
}

/** The amounts of a header condition. */
export function headerAmountsOf(line: CompiledLine, sources: AmountSources): StatedAmount[] {
  const records = sources.records.ofProject(line);
  if (records.length === 0 && line.computesAlone) return [unstated(line)];
  return records.map((record) => fromRecord(line, record, undefined, sources));
}

function fromRecord(
  line: CompiledLine,
  record: ConditionRecord,
  position: Position | undefined,
  sources: AmountSources,
): StatedAmount {
  const tax = line.type?.conditionClass === "tax";
  const label = (tax ? undefined : nonEmpty(record.label)) ?? lineLabel(line);
  const manual = line.source === undefined && line.line.accessMethod === undefined;
  const stated = state(line, record.amount, { label, per: record.perQuantity, manual }, position, sources);
  const taxType = line.source?.kind === "tax" ? line.source.taxType : undefined;
  if (!tax || taxType === undefined) return stated;
  return {
    ...stated,
    taxType,
    taxCategory: ownMember(position?.item.taxCategories, taxType) ?? "standard_rate",
  };
}

function fromTaxScheme(
  line: CompiledLine,
  taxType: string,
  position: Position,
  sources: AmountSources,
): StatedAmount[] {
  const tax = sources.taxes.find(taxType, position);
  if (tax === undefined) return [];
  const label = nonEmpty(lineLabel(line)) ?? tax.name ?? [];
  if (tax.rateUnit === "%") {
    const amount: Amount = { kind: "percentage", value: tax.rate };
    return [state(line, amount, { label, tax }, position, sources)];
  }
  const [, currency, unit] = /^([A-Z]{3})(?:\/([A-Z0-9]{1,3}))?$/.exec(tax.rateUnit) ?? [];
  if (currency === undefined) {
    sources.errors.add(
      undefined,
      `The rate unit "${tax.rateUnit}" of ${taxType} is not "%" or such as "EUR/KGM"`,
    );
    return [];
  }
  const amount: Amount = { kind: "money", value: tax.rate, currency };
  const per = unit === undefined ? undefined : { value: "1", unit };
  return [state(line, amount, { label, per, tax }, position, sources)];
}

function fromProductPrice(
  line: CompiledLine,
  source: { kind: "base" | "variant"; side: "purchase" | "sales" },
  position: Position,
  sources: AmountSources,
): StatedAmount[] {
  const price = productPrice(position, source.side);
  if (price === undefined) return [];
  const per = price.perQuantity;
  if (source.kind === "base") {
    return [state(line, moneyAmount(price.base), { label: lineLabel(line), per }, position, sources)];
  }
  return (price.components ?? []).map(({ label, amount }) =>
    state(line, amount, { label: nonEmpty(label) ?? lineLabel(line), per }, position, sources),
  );
}

function productPrice({ item }: Position, side: "purchase" | "sales"): ProductPrice | undefined {
  return item.type === "setArticle" ? undefined : item.productPrices.find((price) => price.side === side);
}

function moneyAmount(money: Money): Amount {
  return { kind: "money", value: money.value, currency: money.currency };
}

function state(
  line: CompiledLine,
  amount: Amount,
  { label, per, manual, tax }: Origin,
  position: Position | undefined,
  sources: AmountSources,
): StatedAmount {
  const converted = usable(amount, per, position, sources);
  const number = converted === undefined ? zero : signed(line, converted);
  return {
    label,
    amount: converted === undefined ? undefined : rewritten(amount, number, sources),
    number,
    per,
    manual: manual ?? false,
    taxType: tax?.taxType,
    taxCategory: tax?.taxCategory,
  };
}

/**
 * The number of the amount in the project's currency; undefined if it cannot be used, after reporting the
 * reason.
 */
function usable(
  amount: Amount,
  per: Quantity | undefined,
  position: Position | undefined,
  { converter, errors }: AmountSources,
): Exact | undefined {
  const fail = (message: string): undefined => errors.add(position?.item.id, message);
  if (per !== undefined && per.value !== "1" && !new Exact(per.value).gt(0)) {
    return fail(`A price for a quantity of ${per.value} ${per.unit} cannot be used`);
  }
  if (amount.kind === "percentage") return new Exact(amount.value);
  if (amount.kind === "quantity") return fail(`A quantity (${amount.value} ${amount.unit}) is not a price`);
  const converted = converter.convert(amount);
  if (converted !== undefined) return converted;
  const missing = converter.missingRate(amount.currency) ?? amount.currency;
  return fail(
    `The project has no exchange rate for ${missing}: ${amount.value} ${amount.currency} cannot be used`,
  );
}

/**
 * Amounts of negative condition types are discounts whatever their sign was, and those of positive modifiers
 * and taxes never are. Prices keep their sign: that of a credit is negative.
 */
function signed({ type }: CompiledLine, number: Exact): Exact {
  if (type?.sign === "negative") return number.abs().negated();
  if (type?.sign === "positive" && type.conditionClass !== "price") return number.abs();
  return number;
}

function rewritten(amount: Amount, number: Exact, { converter, rounding }: AmountSources): Amount {
  if (amount.kind !== "money") return { ...amount, value: number.toFixed() };
  return { kind: "money", value: rounding.statedText(number), currency: converter.target };
}

/** The text of a line, or else that of its condition type. */
export function lineLabel({ line, type }: CompiledLine): Texts {
  return nonEmpty(line.label) ?? type?.label ?? [];
}

function nonEmpty(texts: Texts | undefined): Texts | undefined {
  return texts === undefined || texts.length === 0 ? undefined : texts;
}

/** Converts amounts to the currency of a project. */
export class CurrencyConverter {
  /** The target currency, ISO 4217. */
  readonly target: string;
  private readonly rates = new Map<string, Exact | undefined>();

  constructor(
    private readonly settings: ProjectSettings,
    private readonly rounding: Rounding,
  ) {
    this.target = settings.currency;
  }

  /**
   * Amount / rate of its currency * rate of the project's currency, rounded to the project's smallest amount;
   * an amount in the project's currency is returned unchanged. Undefined if `missingRate` returns a currency.
   */
  convert(money: Money): Exact | undefined {
    const amount = new Exact(money.value);
    if (money.currency === this.target) return amount;
    const source = this.rate(money.currency);
    const target = this.rate(this.target);
    if (source === undefined || target === undefined) return undefined;
    const product = amount.times(target);
    return this.rounding.round(source.eq(one) ? product : product.div(source));
  }

  /** The currency whose missing rate prevents a conversion from `source`. */
  missingRate(source: string): string | undefined {
    if (source === this.target) return undefined;
    return [source, this.target].find((currency) => this.rate(currency) === undefined);
  }

  private rate(currency: string): Exact | undefined {
    if (!this.rates.has(currency)) this.rates.set(currency, this.read(currency));
    return this.rates.get(currency);
  }

  /** Rates of zero or less are ignored. */
  private read(currency: string): Exact | undefined {
    const text = ownMember(this.settings.exchangeRates, currency);
    const rate = new Exact(text ?? (currency === this.settings.referenceCurrency ? 1 : 0));
    return rate.gt(0) ? rate : undefined;
  }
}
