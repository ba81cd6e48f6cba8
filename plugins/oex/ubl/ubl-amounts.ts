import type { XmlWriter } from "@slipway/sdk";
import type { TaxedChange, TradeOrder, TradeTax } from "../trade/trade-order.js";
import { writeOptional, writeValue } from "../writing/values.js";
import { writeTaxScheme } from "./ubl-party.js";

/** Discounts, tax and totals of the order, in the places that UBL has for them. */
export function writeUblAmounts(writer: XmlWriter, { changes, totals, currency }: TradeOrder): void {
  const amount = (name: string, value: string | undefined): void =>
    writeOptional(writer, name, value, { currencyID: currency });
  for (const change of changes) writeUblAllowance(writer, change, currency);
  if (totals.tax !== undefined) {
    writer.open("cac:TaxTotal");
    amount("cbc:TaxAmount", totals.tax);
    writer.close();
  }
  writer.open("cac:AnticipatedMonetaryTotal");
  amount("cbc:LineExtensionAmount", totals.lines);
  amount("cbc:TaxExclusiveAmount", totals.net);
  amount("cbc:TaxInclusiveAmount", totals.gross);
  amount("cbc:AllowanceTotalAmount", totals.allowances);
  amount("cbc:ChargeTotalAmount", totals.charges);
  amount("cbc:PayableAmount", totals.gross);
  writer.close();
}

function writeUblAllowance(writer: XmlWriter, change: TaxedChange, currency: string): void {
  writer.open("cac:AllowanceCharge");
  writeValue(writer, "cbc:ChargeIndicator", String(change.isCharge));
  writeValue(writer, "cbc:AllowanceChargeReasonCode", change.reasonCode);
  writeOptional(writer, "cbc:AllowanceChargeReason", change.reason);
  writeOptional(writer, "cbc:MultiplierFactorNumeric", change.percent?.rate);
  writeValue(writer, "cbc:Amount", change.amount, { currencyID: currency });
  writeOptional(writer, "cbc:BaseAmount", change.percent?.of, { currencyID: currency });
  writeTaxCategory(writer, "cac:TaxCategory", change.tax);
  writer.close();
}

/** A rate of the value added tax (`cac:TaxCategoryType`). */
export function writeTaxCategory(writer: XmlWriter, name: string, tax: TradeTax | undefined): void {
  if (tax === undefined) return;
  writer.open(name);
  writeValue(writer, "cbc:ID", tax.category);
  writeValue(writer, "cbc:Percent", tax.rate);
  writeTaxScheme(writer);
  writer.close();
}
