import type { XmlWriter } from "@slipway/sdk";
import { classification } from "../trade/classification.js";
import { grossOfNet } from "../trade/line-price.js";
import type { Omissions } from "../trade/omissions.js";
import type { TradeLine, TradeProperty } from "../trade/trade-order.js";
import { writeOptional, writeValue } from "../writing/values.js";
import { writeTaxCategory } from "./ubl-amounts.js";

export interface UblLineOptions {
  currency: string;
  partialDelivery: boolean | undefined;
  omissions: Omissions;
}

/** Names of codes that are no list of their own: those of the manufacturer's OFML data. */
const propertyCodes = "OFML";

/** A line (`cac:OrderLine`). */
export function writeUblLine(writer: XmlWriter, line: TradeLine, options: UblLineOptions): void {
  const { currency, partialDelivery, omissions } = options;
  writer.open("cac:OrderLine");
  writeOptional(writer, "cbc:Note", line.notes.length === 0 ? undefined : line.notes.join("\n"));
  writer.open("cac:LineItem");
  writeValue(writer, "cbc:ID", line.id);
  writeValue(writer, "cbc:Quantity", line.quantity, { unitCode: line.unit });
  writeValue(writer, "cbc:LineExtensionAmount", line.price.total, { currencyID: currency });
  if (partialDelivery !== undefined)
    writeValue(writer, "cbc:PartialDeliveryIndicator", String(partialDelivery));
  writePrice(writer, line, currency, omissions);
  writeItem(writer, line, omissions);
  writer.close();
  writer.close();
}

function writePrice(
  writer: XmlWriter,
  { price, unit }: TradeLine,
  currency: string,
  omissions: Omissions,
): void {
  const changes = price.gross?.changes ?? [];
  const discounted = grossOfNet(price);
  if (changes.length > 0)
    omissions.add(
      discounted === undefined
        ? "surcharges of articles"
        : "the single discounts of articles, of which there is the sum",
    );
  writer.open("cac:Price");
  writeValue(writer, "cbc:PriceAmount", price.net, { currencyID: currency });
  writeOptional(writer, "cbc:BaseQuantity", price.basis, { unitCode: unit });
  if (discounted !== undefined) {
    writer.open("cac:AllowanceCharge");
    writeValue(writer, "cbc:ChargeIndicator", "false");
    writeValue(writer, "cbc:Amount", discounted.less, { currencyID: currency });
    writeValue(writer, "cbc:BaseAmount", discounted.gross, { currencyID: currency });
    writer.close();
  }
  writer.close();
}

function writeItem(writer: XmlWriter, line: TradeLine, omissions: Omissions): void {
  if (line.packaging !== undefined) omissions.add("sizes of packaging");
  writer.open("cac:Item");
  writeOptional(writer, "cbc:Description", line.description);
  writeValue(writer, "cbc:Name", line.name);
  writeNumber(writer, "cac:BuyersItemIdentification", line.buyerNumber);
  writeNumber(writer, "cac:SellersItemIdentification", line.sellerNumber);
  writeNumber(writer, "cac:ManufacturersItemIdentification", line.baseNumber);
  for (const given of line.classifications) {
    const { value, ...list } = classification(given);
    writer.open("cac:CommodityClassification");
    writeValue(writer, "cbc:ItemClassificationCode", value, list);
    writer.close();
  }
  writeTaxCategory(writer, "cac:ClassifiedTaxCategory", line.tax);
  for (const each of line.properties) writeProperty(writer, each);
  if (line.variantCode !== undefined)
    writeProperty(writer, { code: "OVC", name: "OFML variant code", value: line.variantCode });
  if (line.brand !== undefined)
    writeProperty(writer, { code: "BRAND", name: "Manufacturer", value: line.brand });
  if (line.series !== undefined)
    writeProperty(writer, { code: "SERIES", name: "Series", value: line.series });
  writer.close();
}

function writeNumber(writer: XmlWriter, name: string, number: string | undefined): void {
  if (number === undefined) return;
  writer.open(name);
  writeValue(writer, "cbc:ID", number);
  writer.close();
}

function writeProperty(writer: XmlWriter, { code, name, value, valueCode }: TradeProperty): void {
  writer.open("cac:AdditionalItemProperty");
  writeValue(writer, "cbc:Name", name);
  writeValue(writer, "cbc:NameCode", code, { listID: propertyCodes });
  writeValue(writer, "cbc:Value", value);
  writeOptional(writer, "cbc:ValueQualifier", valueCode);
  writer.close();
}
