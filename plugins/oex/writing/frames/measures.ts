/** Weights and volume of the document or of an article (OEX reference, sections 4 and 5.2). */
import type { XmlWriter } from "@slipway/sdk";
import type { Weights } from "../../document/frames.js";
import { hasValue, writeOptional } from "../values.js";

/** What has weights and a volume. */
interface Measured {
  weights?: Weights;
  volume?: string;
}

/** Each unit stands behind its values, and never alone. */
export function writeMeasures(writer: XmlWriter, { weights, volume }: Measured): void {
  if (hasValue(weights?.gross) || hasValue(weights?.net)) {
    writeOptional(writer, "vGrossWeight", weights?.gross);
    writeOptional(writer, "vNetWeight", weights?.net);
    writer.element("vUnitWeight", "KGM");
  }
  if (hasValue(volume)) {
    writer.element("vVolume", volume);
    writer.element("vUnitVolume", "MTQ");
  }
}
