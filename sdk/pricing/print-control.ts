/** Which lines of a sheet a document shows. */

import { Exact } from "../exact.js";
import type { PricingProcedure, Sheet } from "../project/document.js";
import { isVisible, type JoinedLine, joinLines } from "./sheet-lines.js";

/** An item of the document, or its totals. */
export type PrintPlace = "position" | "header";

interface Control {
  place: PrintPlace | undefined;
  changed: boolean;
  nonZero: boolean;
}

/**
 * The lines that the procedure wants to be seen at this place. Never: lines without data, replaced prices, and lines
 * tagged INVISIBLE. `...Always` shows a line, `...NonZero` one that is not zero, `...Changed` one that differs from the
 * subtotal before it (a condition: that is not zero), `...ChangedNonZero` one that is both. A condition or subtotal
 * without print control shows at positions when it is not zero; texts and breaks show on demand only.
 */
export function printedLines(sheet: Sheet, procedure: PricingProcedure, place: PrintPlace): JoinedLine[] {
  let before = new Exact(0);
  return joinLines(sheet, procedure).filter((joined) => {
    const value = new Exact(joined.line.value?.value ?? joined.line.amount?.value ?? 0);
    const isSubtotal = joined.procedureLine?.kind === "subtotal";
    const changed = isSubtotal ? !value.eq(before) : !value.isZero();
    if (isSubtotal && joined.line.value !== undefined) before = value;
    if (!joined.active || !isVisible(joined)) return false;
    const control = controlOf(joined);
    return control.place === place && (!control.changed || changed) && (!control.nonZero || !value.isZero());
  });
}

function controlOf({ procedureLine }: JoinedLine): Control {
  const [, place, rule] =
    /^(Position|Header)(Always|(?:Changed)?(?:NonZero)?)$/.exec(procedureLine?.printControl ?? "") ?? [];
  if (place !== undefined && rule !== undefined && rule !== "") {
    return {
      place: place === "Position" ? "position" : "header",
      changed: rule.startsWith("Changed"),
      nonZero: rule.endsWith("NonZero"),
    };
  }
  const prints =
    procedureLine?.printControl === undefined &&
    (procedureLine?.kind === "condition" || procedureLine?.kind === "subtotal");
  return { place: prints ? "position" : undefined, changed: false, nonZero: true };
}
