/** Frame names have different prefixes in the header and in items (OEX reference, section 6). */
import type { XmlWriter } from "@slipway/sdk";
import type { Weights } from "../../document/frames.js";
import { hasValue, writeOptional } from "../values.js";

/** Names of the shared frames in the header or in items. */
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

interface Measured {
  weights?: Weights;
  volume?: string;
}

/** Each unit follows its values, and never occurs alone. */
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
