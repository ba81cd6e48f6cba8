import type { XmlWriter } from "@slipway/sdk";
import type { OrderXProfile } from "../configuration/embeddable-files.js";
import type { Omissions } from "../trade/omissions.js";
import type { TaxedChange, TaxTotal, TradeOrder, TradeTax } from "../trade/trade-order.js";
import { writeOptional, writeValue } from "../writing/values.js";
import { writeParty } from "./order-x-party.js";

/** UNCL 5153. */
const taxTypes = { valueAdded: "VAT", other: "OTH" } as const;

/** Currency, discounts, taxes and totals (`ApplicableHeaderTradeSettlement`). */
export function writeSettlement(
  writer: XmlWriter,
  order: TradeOrder,
  profile: OrderXProfile,
  omissions: Omissions,
): void {
  const { totals, currency } = order;
  writer.open("ram:ApplicableHeaderTradeSettlement");
  writeValue(writer, "ram:OrderCurrencyCode", currency);
  if (order.invoicee !== undefined)
    writeParty(writer, "ram:InvoiceeTradeParty", order.invoicee, { profile, omissions });
  if (profile === "EXTENDED") for (const tax of order.taxes) writeTaxTotal(writer, tax);
  for (const change of order.changes) writeAllowance(writer, "ram:SpecifiedTradeAllowanceCharge", change);
  writer.open("ram:SpecifiedTradeSettlementHeaderMonetarySummation");
  writeValue(writer, "ram:LineTotalAmount", totals.lines);
  writeValue(writer, "ram:ChargeTotalAmount", totals.charges);
  writeValue(writer, "ram:AllowanceTotalAmount", totals.allowances);
  writeValue(writer, "ram:TaxBasisTotalAmount", totals.net);
  writeOptional(writer, "ram:TaxTotalAmount", totals.tax, { currencyID: currency });
  writeValue(writer, "ram:GrandTotalAmount", totals.gross);
  writer.close();
  writer.close();
}

function writeTaxTotal(writer: XmlWriter, tax: TaxTotal): void {
  writer.open("ram:ApplicableTradeTax");
  writeValue(writer, "ram:CalculatedAmount", tax.amount);
  writeValue(writer, "ram:TypeCode", tax.isOther ? taxTypes.other : taxTypes.valueAdded);
  writeValue(writer, "ram:BasisAmount", tax.basis);
  writeValue(writer, "ram:CategoryCode", tax.category);
  writeValue(writer, "ram:RateApplicablePercent", tax.rate);
  writer.close();
}

/** A value added tax with its rate (`TradeTaxType`). */
export function writeTax(writer: XmlWriter, name: string, tax: TradeTax | undefined): void {
  if (tax === undefined) return;
  writer.open(name);
  writeValue(writer, "ram:TypeCode", taxTypes.valueAdded);
  writeValue(writer, "ram:CategoryCode", tax.category);
  writeValue(writer, "ram:RateApplicablePercent", tax.rate);
  writer.close();
}

/** A discount or surcharge (`TradeAllowanceChargeType`). */
export function writeAllowance(writer: XmlWriter, name: string, change: TaxedChange): void {
  writer.open(name);
  writer.open("ram:ChargeIndicator");
  writeValue(writer, "udt:Indicator", String(change.isCharge));
  writer.close();
  writeOptional(writer, "ram:CalculationPercent", change.percent?.rate);
  writeOptional(writer, "ram:BasisAmount", change.percent?.of);
  writeValue(writer, "ram:ActualAmount", change.amount);
  writeValue(writer, "ram:ReasonCode", change.reasonCode);
  writeOptional(writer, "ram:Reason", change.reason);
  writeTax(writer, "ram:CategoryTradeTax", change.tax);
  writer.close();
}
