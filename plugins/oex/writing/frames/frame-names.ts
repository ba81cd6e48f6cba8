/** Frames have one prefix in the header and another one in items (OEX reference, section 6). */
import type { XmlWriter } from "@slipway/sdk";
import type { Weights } from "../../document/frames.js";
import { hasValue, writeOptional } from "../values.js";

/** What the frames that stand in both are called in one place. */
export interface FrameNames {
  organisation: string;
  text: string;
  reference: string;
  pricing: string;
}

export const headerFrames: FrameNames = frameNames("hdr");
export const itemFrames: FrameNames = frameNames("itm");

function frameNames(prefix: string): FrameNames {
  return {
    organisation: `${prefix}OrgData`,
    text: `${prefix}Text`,
    reference: `${prefix}Reference`,
    pricing: `${prefix}Pricing`,
  };
}

// Weights and volume of the document or of an article (OEX reference, sections 4 and 5.2).

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
