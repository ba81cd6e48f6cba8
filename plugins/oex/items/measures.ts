/** Weights and volumes of items (OEX reference, sections 5.2 and 18). */
import { Exact, measureOf, type PositionItem } from "@slipway/sdk";
import type { Weights } from "../document/frames.js";
import type { FieldRepairs } from "../repair/repairs.js";
import { quantityText } from "../selection/quantities.js";

/** Totals of an item. */
export interface Measures {
  weights?: Weights;
  /** In `MTQ`. */
  volume?: string;
}

/** Packaging field of each measure, for reports. */
const fields = {
  netWeight: "packaging.netWeight",
  grossWeight: "packaging.tareWeight",
  volume: "packaging.volume",
} as const;

/** Complete measures by item: the document needs all of them before an item is written. */
const known = new WeakMap<PositionItem, { quantity: string; measures: Measures }>();

/**
 * Total weights and volume of an item. The gross weight needs the weight of the packaging. Zero means unknown and is
 * left out; invalid values are left out with a report.
 */
export function itemMeasures(item: PositionItem, quantity: string, repairs: FieldRepairs): Measures {
  const before = known.get(item);
  if (before?.quantity === quantity) return before.measures;
  let isComplete = true;
  const total = (measure: keyof typeof fields, unit: string): string | undefined => {
    const each = measureOf(item.packaging, measure, unit);
    if (each === "none") return undefined;
    if (each === "unit" || each.lessThan(0)) {
      isComplete = false;
      reportMeasure(item, measure, each === "unit" ? "an unknown unit" : "less than zero", repairs);
      return undefined;
    }
    const text = quantityText(each.times(quantity));
    return new Exact(text).isZero() ? undefined : text;
  };
  const net = total("netWeight", "KGM");
  const gross = item.packaging?.tareWeight === undefined ? undefined : total("grossWeight", "KGM");
  const volume = total("volume", "MTQ");
  const measures: Measures = {
    ...((net !== undefined || gross !== undefined) && {
      weights: { ...(gross !== undefined && { gross }), ...(net !== undefined && { net }) },
    }),
    ...(volume !== undefined && { volume }),
  };
  // What is left out is reported each time.
  if (isComplete) known.set(item, { quantity, measures });
  return measures;
}

function reportMeasure(
  item: PositionItem,
  measure: keyof typeof fields,
  reason: string,
  repairs: FieldRepairs,
): void {
  const { netWeight, tareWeight, volume } = item.packaging ?? {};
  const stated = { netWeight, grossWeight: tareWeight, volume }[measure];
  repairs.report(fields[measure], `${stated?.value ?? ""} ${stated?.unit ?? ""}`, `left out: ${reason}`);
}
