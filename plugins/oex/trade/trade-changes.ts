/** Discounts and surcharges (OEX reference, sections 6.9 and 9.7) as allowances and charges. */
import { Exact, present } from "@slipway/sdk";
import type { PriceArea, PricingLine } from "../document/frames.js";
import type { HeaderShare } from "../pricing/document-pricing.js";
import { amountText } from "../pricing/pricing-lines.js";
import type { TaxedChange, TradeChange } from "./trade-order.js";
import type { TradeTaxes } from "./trade-taxes.js";

const cent = new Exact("0.01");

/** UNCL 5189, by kind: special agreement; all others are a discount. */
const discountReasons: ReadonlyMap<string | undefined, string> = new Map([["SD", "64"]]);
const discountReason = "95";
/** UNCL 7161: a contribution to recycling; all other surcharges are mutually defined. */
const chargeReasons = { tax: "AEW", other: "ZZZ" } as const;

const directions: Partial<Record<PricingLine["type"], -1 | 1>> = { DISI: -1, DISH: -1, SURI: 1, SURH: 1 };

/** The discounts and surcharges among an item's lines of one area, in their order. */
export function itemChanges(lines: readonly PricingLine[], area: PriceArea): TradeChange[] {
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
