/** Frames have one prefix in the header and another one in items (OEX reference, section 6). */

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
