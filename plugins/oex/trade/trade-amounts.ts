/** Discounts and surcharges (OEX reference, sections 6.9 and 9.7) as allowances and charges. */
import { Exact, present } from "@slipway/sdk";
import type { PriceArea, PricingLine } from "../document/oex-document.js";
import type { CodedTax, HeaderShare } from "../pricing/document-pricing.js";
import { amountText } from "../pricing/pricing-lines.js";
import type { LinePrice, TaxedChange, TaxTotal, TradeChange, TradeTax } from "./trade-order.js";

const cent = new Exact("0.01");

/** UNCL 5189, by kind: special agreement; all others are a discount. */
const discountReasons: ReadonlyMap<string | undefined, string> = new Map([["SD", "64"]]);
const discountReason = "95";
/** UNCL 7161: a contribution to recycling; all other surcharges are mutually defined. */
const chargeReasons = { tax: "AEW", other: "ZZZ" } as const;

const directions: Partial<Record<PricingLine["type"], -1 | 1>> = { DISI: -1, DISH: -1, SURI: 1, SURH: 1 };

/** The discounts and surcharges among an item's lines of one area, in their order. */
function itemChanges(lines: readonly PricingLine[], area: PriceArea): TradeChange[] {
  return changeLines(lines, area, "item").map(({ line, of }) => tradeChange(line, of));
}

/**
 * Those of the header: one that falls to articles of several taxes is one for each tax, so that the base of each tax is exact.
 */
export function headerTradeChanges(
  lines: readonly PricingLine[],
  area: PriceArea,
  shares: readonly HeaderShare[],
  taxes: TradeTaxes,
): TaxedChange[] {
  const written = changeLines(lines, area, "header");
  const merged = new Map<string, { share: HeaderShare; value: Exact; parts: number }>();
  for (const share of shares) {
    const key = JSON.stringify([share.line, taxes.of(share.taxCodes)]);
    const known = merged.get(key);
    merged.set(key, { share, value: share.value.plus(known?.value ?? 0), parts: (known?.parts ?? 0) + 1 });
  }
  return [...merged.values()].flatMap(({ share, value }): TaxedChange[] => {
    if (value.isZero()) return [];
    const tax = taxes.of(share.taxCodes);
    const line = written[share.line];
    const isWhole = line !== undefined && signed(line.line).eq(value);
    if (isWhole) return [{ ...tradeChange(line.line, line.of, share.isCharge), ...(tax && { tax }) }];
    const isCharge = value.gt(0);
    const change: TradeChange = present({
      isCharge,
      amount: amountText(value.abs()),
      reasonCode: isCharge ? chargeReason(share.isCharge) : discountReason,
      reason: share.text === "" ? undefined : share.text,
    });
    return [{ ...change, ...(tax && { tax }) }];
  });
}

/** The lines with the amounts that their rates refer to. */
function changeLines(
  lines: readonly PricingLine[],
  area: PriceArea,
  place: "item" | "header",
): { line: PricingLine; of: Exact }[] {
  const start = place === "item" ? "SGRO" : "TNET";
  const types = place === "item" ? ["DISI", "SURI"] : ["DISH", "SURH"];
  const left = new Map<number, Exact>();
  const found: { line: PricingLine; of: Exact }[] = [];
  let rest: Exact | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.area !== area) continue;
    if (line.type === start) rest = new Exact(line.value);
    else if (rest !== undefined && types.includes(line.type)) {
      found.push({ line, of: left.get(line.base ?? 0) ?? rest });
      rest = rest.plus(signed(line));
    } else continue;
    left.set(index + 1, rest);
  }
  return found;
}

function signed({ type, value }: PricingLine): Exact {
  return new Exact(value).times(directions[type] ?? 1);
}

function tradeChange(line: PricingLine, of: Exact, isTax = false): TradeChange {
  const isCharge = directions[line.type] === 1;
  const { rate } = line;
  const leads = rate !== undefined && of.times(rate).div(100).minus(line.value).abs().lte(cent) && of.gte(0);
  return present({
    isCharge,
    amount: line.value,
    percent: leads ? { rate, of: amountText(of) } : undefined,
    reasonCode: isCharge ? chargeReason(isTax) : (discountReasons.get(line.kind) ?? discountReason),
    reason: line.text,
  });
}

function chargeReason(isTax: boolean): string {
  return isTax ? chargeReasons.tax : chargeReasons.other;
}

// The value added tax of an order, and its other taxes.

/** By the codes of the document's lines. */
export class TradeTaxes {
  private readonly valueAdded = new Map<number, TradeTax>();

  /** `taxes` in the order of the project's scheme: without one of the type "VAT", the first type is the value added tax. */
  constructor(taxes: readonly CodedTax[]) {
    const type = (taxes.find((tax) => tax.type.toUpperCase() === "VAT") ?? taxes[0])?.type;
    for (const tax of taxes) if (tax.type === type) this.valueAdded.set(tax.code, tradeTax(tax));
  }

  /** The value added tax among the taxes of an item or a share; undefined without one. */
  of(codes: readonly (number | undefined)[]): TradeTax | undefined {
    for (const code of codes) {
      const found = code === undefined ? undefined : this.valueAdded.get(code);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Each tax of the header with its base. */
  totals(lines: readonly PricingLine[], area: PriceArea): TaxTotal[] {
    const own = lines.filter((line) => line.area === area);
    return own.flatMap((line) => {
      if (line.type !== "TTAX" || line.taxCode === undefined) return [];
      const basis = own.find(({ type, taxCode }) => type === "TTNE" && taxCode === line.taxCode);
      const known = this.valueAdded.get(line.taxCode);
      const tax = known ?? tradeTax({ rate: new Exact(line.rate ?? 0), category: undefined });
      return [{ ...tax, isOther: known === undefined, basis: basis?.value ?? "0.00", amount: line.value }];
    });
  }
}

function tradeTax({ rate, category }: Pick<CodedTax, "rate" | "category">): TradeTax {
  const isExempt = category === "exemption" || category === "exempt";
  return {
    category: rate.gt(0) ? "S" : isExempt ? "E" : "Z",
    rate: rate.toFixed(Math.max(2, rate.decimalPlaces())),
  };
}

// The price of a line (OEX reference, section 15.2).

/** Decimals of a net price that is not one of the document's. */
const priceDecimals = 10;

/**
 * The document's net price, if the quantity leads from it to the document's total to the cent; else the total as the price of
 * the whole quantity. `afterHeader`: the document hides the header's discounts, so prices are those after them.
 */
export function linePrice(
  lines: readonly PricingLine[],
  area: PriceArea,
  quantity: string,
  afterHeader: boolean,
): LinePrice {
  const own = lines.filter((line) => line.area === area);
  const of = (type: PricingLine["type"]): PricingLine | undefined => own.find((line) => line.type === type);
  const total = ((afterHeader ? of("TNEH") : undefined) ?? of("TNET"))?.value ?? "0.00";
  const net = (afterHeader ? of("SNEH") : undefined) ?? of("SNET");
  const gross = of("SGRO");
  const isChanged = afterHeader && of("TNEH") !== undefined && of("TNEH")?.value !== of("TNET")?.value;
  return present({
    ...netPrice(net, total, quantity),
    total,
    gross:
      gross === undefined || isChanged
        ? undefined
        : present({ amount: gross.value, basis: gross.priceUnit, changes: itemChanges(lines, area) }),
  });
}

function netPrice(
  net: PricingLine | undefined,
  total: string,
  quantity: string,
): Pick<LinePrice, "net" | "basis"> {
  if (net !== undefined) {
    const { value, priceUnit } = net;
    const price = present({ net: value, basis: priceUnit });
    if (lineTotal(price, quantity).eq(total)) return price;
  }
  const isNothing = new Exact(total).isZero() || new Exact(quantity).isZero();
  return isNothing ? { net: total } : { net: total, basis: quantity };
}

/** What a price is for a quantity, rounded to two decimals. */
function lineTotal({ net, basis = "1" }: Pick<LinePrice, "net" | "basis">, quantity: string): Exact {
  return new Exact(net).times(quantity).div(basis).toDecimalPlaces(2, Exact.ROUND_HALF_UP);
}

/**
 * The gross price for the same number of units as the net price, and the difference, without the steps between; undefined if
 * there is no gross price or it is not the higher one.
 */
export function grossOfNet({
  net,
  basis = "1",
  gross,
}: LinePrice): { gross: string; less: string } | undefined {
  if (gross === undefined) return undefined;
  const amount = new Exact(gross.amount).times(basis).div(gross.basis ?? "1");
  const rounded = amount.toDecimalPlaces(priceDecimals, Exact.ROUND_HALF_UP);
  const less = rounded.minus(net);
  if (!less.gt(0)) return undefined;
  return { gross: priceText(rounded), less: priceText(less) };
}

function priceText(value: Exact): string {
  return value.decimalPlaces() <= 2 ? amountText(value) : value.toFixed();
}
