/** Pricing lines (OEX reference, sections 6.9 and 9.7). */
import type { XmlAttributes, XmlWriter } from "@slipway/sdk";
import type { PricingLine } from "../../document/frames.js";
import { hasValue, writeOptional, writeValue } from "../values.js";
import type { FrameNames } from "./frame-names.js";

/** Lines are numbered from 1 in the header and in each item. `pricedUnit`: what the format calls the unit of a price. */
export function writePricing(
  writer: XmlWriter,
  frames: FrameNames,
  lines: PricingLine[],
  pricedUnit: string,
): void {
  for (const [index, line] of lines.entries()) {
    writer.open(frames.pricing, { aCondNo: index + 1 });
    writer.element("vConditionType", line.type, conditionAttributes(line));
    writeValue(writer, "vConditionValue", line.value);
    writeOptional(writer, "vConditionRate", line.rate);
    writeValue(writer, "vCondCurrency", line.currency);
    writeOptional(writer, "vConditionText", line.text);
    writeOptional(writer, "vPriceUnit", line.priceUnit);
    writeOptional(writer, pricedUnit, line.quantityUnit);
    writer.close();
  }
}

function conditionAttributes({ type, area, base, kind, sign, taxCode }: PricingLine): XmlAttributes {
  const given = hasValue(kind) ? kind : undefined;
  switch (type) {
    case "DISI":
    case "DISH":
      return { aCondArea: area, aCondRef: base, aTypeDis: given, aCondSign: sign };
    case "SURI":
    case "SURH":
      return { aCondArea: area, aCondRef: base, aTypeSur: given, aCondSign: sign };
    default:
      return { aCondArea: area, aCondRef: base, aTaxCode: taxCode };
  }
}
