import type { XmlWriter } from "@slipway/sdk";
import type { OrderXProfile } from "../configuration/embeddable-files.js";
import { classification } from "../trade/classification.js";
import type { Omissions } from "../trade/omissions.js";
import type { LinePrice, Measure, TradeLine, TradeProperty } from "../trade/trade-order.js";
import { writeOptional, writeValue } from "../writing/values.js";
import { writeAllowance, writeTax } from "./order-x-settlement.js";

export interface LineOptions {
  profile: OrderXProfile;
  partialDelivery: boolean | undefined;
  omissions: Omissions;
}

/** A line (`IncludedSupplyChainTradeLineItem`). */
export function writeOrderXLine(writer: XmlWriter, line: TradeLine, options: LineOptions): void {
  writer.open("ram:IncludedSupplyChainTradeLineItem");
  writer.open("ram:AssociatedDocumentLineDocument");
  writeValue(writer, "ram:LineID", line.id);
  for (const note of line.notes) {
    writer.open("ram:IncludedNote");
    writeValue(writer, "ram:Content", note);
    writer.close();
  }
  writer.close();
  writeProduct(writer, line, options);
  writer.open("ram:SpecifiedLineTradeAgreement");
  writePrices(writer, line);
  writer.close();
  writer.open("ram:SpecifiedLineTradeDelivery");
  if (options.partialDelivery !== undefined) {
    writer.open("ram:PartialDeliveryAllowedIndicator");
    writeValue(writer, "udt:Indicator", String(options.partialDelivery));
    writer.close();
  }
  writeValue(writer, "ram:RequestedQuantity", line.quantity, { unitCode: line.unit });
  writer.close();
  writer.open("ram:SpecifiedLineTradeSettlement");
  writeTax(writer, "ram:ApplicableTradeTax", line.tax);
  writer.open("ram:SpecifiedTradeSettlementLineMonetarySummation");
  writeValue(writer, "ram:LineTotalAmount", line.price.total);
  writer.close();
  writer.close();
  writer.close();
}

function writeProduct(writer: XmlWriter, line: TradeLine, { profile, omissions }: LineOptions): void {
  const isExtended = profile === "EXTENDED";
  const isConfigured = line.baseNumber !== line.sellerNumber;
  if (line.variantCode === undefined && line.properties.some(({ valueCode }) => valueCode !== undefined))
    omissions.add("the symbols of values, of articles without a variant code");
  writer.open("ram:SpecifiedTradeProduct");
  writeValue(writer, "ram:SellerAssignedID", line.sellerNumber);
  writeOptional(writer, "ram:BuyerAssignedID", line.buyerNumber);
  if (isExtended && isConfigured) writeValue(writer, "ram:ModelID", line.baseNumber);
  writeValue(writer, "ram:Name", line.name);
  writeOptional(writer, "ram:Description", line.description);
  writeOptional(writer, "ram:BrandName", line.brand);
  if (isExtended) writeOptional(writer, "ram:ModelName", line.series);
  for (const each of line.properties) writeCharacteristic(writer, each);
  if (line.variantCode !== undefined)
    writeCharacteristic(writer, { code: "OVC", name: "OFML variant code", value: line.variantCode });
  if (!isExtended && isConfigured)
    writeCharacteristic(writer, { code: "BASE", name: "Base article number", value: line.baseNumber });
  if (!isExtended && line.series !== undefined)
    writeCharacteristic(writer, { code: "SERIES", name: "Series", value: line.series });
  for (const given of line.classifications) {
    const { value, ...list } = classification(given);
    writer.open("ram:DesignatedProductClassification");
    writeValue(writer, "ram:ClassCode", value, list);
    writer.close();
  }
  writePackaging(writer, line.packaging);
  writer.close();
}

function writeCharacteristic(writer: XmlWriter, { code, name, value }: TradeProperty): void {
  writer.open("ram:ApplicableProductCharacteristic");
  writeValue(writer, "ram:TypeCode", code);
  writeValue(writer, "ram:Description", name);
  writeValue(writer, "ram:Value", value);
  writer.close();
}

function writePackaging(writer: XmlWriter, packaging: TradeLine["packaging"]): void {
  if (packaging === undefined) return;
  writer.open("ram:ApplicableSupplyChainPackaging");
  writer.open("ram:LinearSpatialDimension");
  writeMeasure(writer, "ram:WidthMeasure", packaging.width);
  writeMeasure(writer, "ram:LengthMeasure", packaging.length);
  writeMeasure(writer, "ram:HeightMeasure", packaging.height);
  writer.close();
  writer.close();
}

function writeMeasure(writer: XmlWriter, name: string, measure: Measure | undefined): void {
  if (measure !== undefined) writeValue(writer, name, measure.value, { unitCode: measure.unit });
}

function writePrices(writer: XmlWriter, { price, unit }: TradeLine): void {
  const { gross } = price;
  if (gross !== undefined) {
    writer.open("ram:GrossPriceProductTradePrice");
    writePrice(writer, gross.amount, gross.basis, unit);
    for (const change of gross.changes) writeAllowance(writer, "ram:AppliedTradeAllowanceCharge", change);
    writer.close();
  }
  writer.open("ram:NetPriceProductTradePrice");
  writePrice(writer, price.net, price.basis, unit);
  writer.close();
}

function writePrice(
  writer: XmlWriter,
  amount: LinePrice["net"],
  basis: string | undefined,
  unit: string,
): void {
  writeValue(writer, "ram:ChargeAmount", amount);
  writeOptional(writer, "ram:BasisQuantity", basis, { unitCode: unit });
}
