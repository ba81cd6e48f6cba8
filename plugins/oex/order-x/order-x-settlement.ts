import type { TaxedChange, TaxTotal, TradeOrder, TradeTax } from "../trade/trade-order.js";
import { optional, type XmlElement } from "../writing/values.js";
import { type OrderXOptions, tradeParty } from "./order-x-party.js";

/** UNCL 5153. */
const taxTypes = { valueAdded: "VAT", other: "OTH" } as const;

/** Currency, discounts, taxes and totals (`ApplicableHeaderTradeSettlement`). */
export function settlement(order: TradeOrder, options: OrderXOptions): XmlElement {
  const { totals, currency } = order;
  return [
    "ram:ApplicableHeaderTradeSettlement",
    [
      ["ram:OrderCurrencyCode", currency],
      tradeParty("ram:InvoiceeTradeParty", order.invoicee, options),
      ...(options.profile === "EXTENDED" ? order.taxes.map(taxTotal) : []),
      ...order.changes.map((change) => allowance("ram:SpecifiedTradeAllowanceCharge", change)),
      [
        "ram:SpecifiedTradeSettlementHeaderMonetarySummation",
        [
          ["ram:LineTotalAmount", totals.lines],
          ["ram:ChargeTotalAmount", totals.charges],
          ["ram:AllowanceTotalAmount", totals.allowances],
          ["ram:TaxBasisTotalAmount", totals.net],
          optional("ram:TaxTotalAmount", totals.tax, { currencyID: currency }),
          ["ram:GrandTotalAmount", totals.gross],
        ],
      ],
    ],
  ];
}

function taxTotal(tax: TaxTotal): XmlElement {
  return [
    "ram:ApplicableTradeTax",
    [
      ["ram:CalculatedAmount", tax.amount],
      ["ram:TypeCode", tax.isOther ? taxTypes.other : taxTypes.valueAdded],
      ["ram:BasisAmount", tax.basis],
      ["ram:CategoryCode", tax.category],
      ["ram:RateApplicablePercent", tax.rate],
    ],
  ];
}

/** A value added tax with its rate (`TradeTaxType`). */
export function tradeTax(name: string, tax: TradeTax | undefined): XmlElement {
  return (
    tax && [
      name,
      [
        ["ram:TypeCode", taxTypes.valueAdded],
        ["ram:CategoryCode", tax.category],
        ["ram:RateApplicablePercent", tax.rate],
      ],
    ]
  );
}

/** A discount or surcharge (`TradeAllowanceChargeType`). */
export function allowance(name: string, change: TaxedChange): XmlElement {
  return [
    name,
    [
      ["ram:ChargeIndicator", [["udt:Indicator", String(change.isCharge)]]],
      optional("ram:CalculationPercent", change.percent?.rate),
      optional("ram:BasisAmount", change.percent?.of),
      ["ram:ActualAmount", change.amount],
      ["ram:ReasonCode", change.reasonCode],
      optional("ram:Reason", change.reason),
      tradeTax("ram:CategoryTradeTax", change.tax),
    ],
  ];
}
