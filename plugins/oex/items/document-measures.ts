import { Exact, isPosition } from "@slipway/sdk";
import type { Weights } from "../document/frames.js";
import { FieldRepairs } from "../repair/field-repairs.js";
import { silentRepairs } from "../repair/silent-repairs.js";
import { quantityText } from "../selection/quantities.js";
import type { SelectedItem } from "../selection/selected-item.js";
import { itemMeasures, type Measures } from "./measures.js";

/** Sums over the articles that count in a document; one that is not known of each of them is left out (OEX reference, section 18). */
export function documentMeasures(selected: readonly SelectedItem[]): Measures {
  const articles = selected.filter(({ kind, status }) => kind === "article" && status === "active");
  // The items themselves report what is wrong with their measures.
  const each = articles.map(({ item, quantity }) =>
    isPosition(item) && quantity !== undefined
      ? itemMeasures(item, quantity.value, new FieldRepairs(silentRepairs))
      : {},
  );
  const gross = sum(each.map(({ weights }) => weights?.gross));
  const net = sum(each.map(({ weights }) => weights?.net));
  const volume = sum(each.map((measures) => measures.volume));
  const weights: Weights = { ...(gross !== undefined && { gross }), ...(net !== undefined && { net }) };
  return {
    ...((gross !== undefined || net !== undefined) && { weights }),
    ...(volume !== undefined && { volume }),
  };
}

function sum(values: readonly (string | undefined)[]): string | undefined {
  let total = new Exact(0);
  for (const value of values) {
    if (value === undefined) return undefined;
    total = total.plus(value);
  }
  return values.length === 0 ? undefined : quantityText(total);
}
