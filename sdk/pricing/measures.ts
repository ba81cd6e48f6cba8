/** Weights, volumes and lengths of articles, converted from their units (UN/ECE Recommendation 20). */

import { Exact } from "../locale/exact.js";
import type { Packaging, Quantity } from "../project/document.js";

/** Measurable properties of an article. */
export type Measure = "netWeight" | "grossWeight" | "volume";

/** In kilograms. */
const weights = new Map([
  ["KGM", "1"],
  ["GRM", "0.001"],
  ["MGM", "0.000001"],
  ["TNE", "1000"],
  ["LBR", "0.45359237"],
  ["ONZ", "0.028349523125"],
]);

/** In cubic metres. */
const volumes = new Map([
  ["MTQ", "1"],
  ["DMQ", "0.001"],
  ["LTR", "0.001"],
  ["CMQ", "0.000001"],
  ["MMQ", "0.000000001"],
]);

const millimetre = "MMT";

/** In millimetres. */
const lengths = new Map([
  [millimetre, "1"],
  ["CMT", "10"],
  ["DMT", "100"],
  ["MTR", "1000"],
  ["INH", "25.4"],
  ["FOT", "304.8"],
]);

/** A length in millimetres; undefined if its unit is not a unit of length. */
export function millimetres(length: Quantity): Exact | undefined {
  return convert(length, lengths, millimetre);
}

/** The unit of a price per weight or volume that states none. */
export function defaultUnit(measure: Measure): string {
  return measure === "volume" ? "MTQ" : "KGM";
}

/**
 * A measure of one article in `unit`. "none" if the article does not state it; "unit" if a unit is not one of
 * weight or volume. The gross weight is net weight plus tare weight; a missing tare weight counts as zero.
 */
export function measureOf(
  packaging: Packaging | undefined,
  measure: Measure,
  unit: string,
): Exact | "none" | "unit" {
  const stated = measure === "volume" ? [packaging?.volume] : [packaging?.netWeight];
  if (measure === "grossWeight") stated.push(packaging?.tareWeight);
  const [first] = stated;
  if (first === undefined) return "none";
  let total = new Exact(0);
  for (const quantity of stated) {
    if (quantity === undefined) continue;
    const converted = convert(quantity, measure === "volume" ? volumes : weights, unit);
    if (converted === undefined) return "unit";
    total = total.plus(converted);
  }
  return total;
}

function convert(quantity: Quantity, factors: ReadonlyMap<string, string>, unit: string): Exact | undefined {
  const from = factors.get(quantity.unit);
  const to = factors.get(unit);
  if (from === undefined || to === undefined) return undefined;
  return new Exact(quantity.value).times(from).div(to);
}
