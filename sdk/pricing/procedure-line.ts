/** What a line of a pricing procedure says by itself. */
import type { PricingProcedure, ProcedureLine } from "../project/document.js";

/** The lines in the order of evaluation. */
export function sortedLines(procedure: PricingProcedure): ProcedureLine[] {
  return [...procedure.lines].sort((a, b) => a.level - b.level || a.counter - b.counter);
}

/** Whether a subtotal is a margin, by its subtotal type (the names that project files use) or by its tags. */
export function marginOf(line: ProcedureLine): "amount" | "relative" | undefined {
  if (line.kind !== "subtotal") return undefined;
  if (line.subtotalType === "PMQ" || line.tags.includes("MARGIN_QTY")) return "amount";
  if (line.subtotalType === "PMP" || line.tags.includes("MARGIN_REL")) return "relative";
  return undefined;
}
