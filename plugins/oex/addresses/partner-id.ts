import type { PartnerId } from "../document/frames.js";
import type { FieldRepairs, GivenValue } from "../repair/field-repairs.js";
import { oneLine } from "../repair/text-lines.js";
import { globalLocationNumber } from "./global-location-number.js";

const longestId = 20;

/**
 * A partner id: `GLN` if it is a valid one, else `IIS`, an id assigned by the sender (OEX reference, section 19). An id
 * that is too long is left out, because a truncated one would be a different id.
 */
export function partnerId(field: string, value: GivenValue, repairs: FieldRepairs): PartnerId | undefined {
  const gln = globalLocationNumber(value ?? "");
  if (gln !== undefined) return { type: "GLN", value: gln };
  if ([...oneLine(value ?? "", Number.POSITIVE_INFINITY)].length > longestId) {
    repairs.report(field, value ?? "", `left out: longer than ${longestId} characters`);
    return undefined;
  }
  const id = repairs.line(field, value);
  return id === undefined ? undefined : { type: "IIS", value: id };
}
