/** Pricing lines (OEX reference, sections 6.9 and 9.7). */
import type { XmlAttributes, XmlWriter } from "@slipway/sdk";
import type { PriceArea, PricingLine } from "../../document/frames.js";
import { hasValue, writeOptional, writeValue } from "../values.js";
import type { FrameNames } from "./frame-names.js";

/** Lines are numbered from 1 in the header and in each item. `pricedUnit`: element name of a price's unit. */
export function writePricing(
  writer: XmlWriter,
  frames: FrameNames,
  lines: PricingLine[],
  pricedUnit: string,
): void {
  let number = 0;
  for (const line of lines) {
    number += 1;
    writer.open(frames.pricing, { aCondNo: number });
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

/** Attributes per condition type (section 9.7); most have the area only. */
function conditionAttributes(line: PricingLine): XmlAttributes {
  switch (line.type) {
    case "DISI":
    case "DISH":
      return {
        aCondArea: line.area,
        aCondRef: line.base,
        aTypeDis: given(line.kind),
        aCondSign: line.sign,
      };
    case "SURI":
    case "SURH":
      return {
        aCondArea: line.area,
        aCondRef: line.base,
        aTypeSur: given(line.kind),
        aCondSign: line.sign,
      };
    case "TTNE":
    case "TTAX":
      return { aCondArea: line.area, aCondRef: line.base, aTaxCode: line.taxCode };
    default:
      return line.base === undefined ? areaAlone[line.area] : { aCondArea: line.area, aCondRef: line.base };
  }
}

const areaAlone: Record<PriceArea, XmlAttributes> = { P: { aCondArea: "P" }, S: { aCondArea: "S" } };

function given(kind: string | undefined): string | undefined {
  return hasValue(kind) ? kind : undefined;
}
