import { grossOfNet } from "../trade/trade-amounts.js";
import { classification } from "../trade/trade-codes.js";
import type { Omissions, TradeLine, TradeProperty, TradeTax } from "../trade/trade-order.js";
import { optional, wrapped, type XmlElement } from "../writing/values.js";
import { taxScheme } from "./ubl-party.js";

export interface UblLineOptions {
  currency: string;
  partialDelivery: boolean | undefined;
  omissions: Omissions;
}

/** A line (`cac:OrderLine`). */
export function ublLine(line: TradeLine, options: UblLineOptions): XmlElement {
  const { currency, partialDelivery, omissions } = options;
  return [
    "cac:OrderLine",
    [
      optional("cbc:Note", line.notes.length === 0 ? undefined : line.notes.join("\n")),
      [
        "cac:LineItem",
        [
          ["cbc:ID", line.id],
          ["cbc:Quantity", line.quantity, { unitCode: line.unit }],
          ["cbc:LineExtensionAmount", line.price.total, { currencyID: currency }],
          optional("cbc:PartialDeliveryIndicator", partialDelivery?.toString()),
          linePrice(line, currency, omissions),
          lineItem(line, omissions),
        ],
      ],
    ],
  ];
}

function linePrice({ price, unit }: TradeLine, currency: string, omissions: Omissions): XmlElement {
  const changes = price.gross?.changes ?? [];
  const discounted = grossOfNet(price);
  if (changes.length > 0)
    omissions.add(
      discounted === undefined
        ? "surcharges of articles"
        : "the single discounts of articles, of which there is the sum",
    );
  return [
    "cac:Price",
    [
      ["cbc:PriceAmount", price.net, { currencyID: currency }],
      optional("cbc:BaseQuantity", price.basis, { unitCode: unit }),
      discounted && [
        "cac:AllowanceCharge",
        [
          ["cbc:ChargeIndicator", "false"],
          ["cbc:Amount", discounted.less, { currencyID: currency }],
          ["cbc:BaseAmount", discounted.gross, { currencyID: currency }],
        ],
      ],
    ],
  ];
}

function lineItem(line: TradeLine, omissions: Omissions): XmlElement {
  if (line.packaging !== undefined) omissions.add("sizes of packaging");
  return [
    "cac:Item",
    [
      optional("cbc:Description", line.description),
      ["cbc:Name", line.name],
      wrapped("cac:BuyersItemIdentification", "cbc:ID", line.buyerNumber),
      wrapped("cac:SellersItemIdentification", "cbc:ID", line.sellerNumber),
      wrapped("cac:ManufacturersItemIdentification", "cbc:ID", line.baseNumber),
      ...line.classifications.map((given) => {
        const { value, ...list } = classification(given);
        return wrapped("cac:CommodityClassification", "cbc:ItemClassificationCode", value, list);
      }),
      taxCategory("cac:ClassifiedTaxCategory", line.tax),
      ...line.properties.map(property),
      fixedProperty("OVC", "OFML variant code", line.variantCode),
      fixedProperty("BRAND", "Manufacturer", line.brand),
      fixedProperty("SERIES", "Series", line.series),
    ],
  ];
}

function fixedProperty(code: string, name: string, value: string | undefined): XmlElement {
  return value === undefined ? undefined : property({ code, name, value });
}

/** Its codes are those of the manufacturer's OFML data, which are no published list. */
function property({ code, name, value, valueCode }: TradeProperty): XmlElement {
  return [
    "cac:AdditionalItemProperty",
    [
      ["cbc:Name", name],
      ["cbc:NameCode", code, { listID: "OFML" }],
      ["cbc:Value", value],
      optional("cbc:ValueQualifier", valueCode),
    ],
  ];
}

/** A rate of the value added tax (`cac:TaxCategoryType`). */
export function taxCategory(name: string, tax: TradeTax | undefined): XmlElement {
  return tax && [name, [["cbc:ID", tax.category], ["cbc:Percent", tax.rate], taxScheme]];
}
