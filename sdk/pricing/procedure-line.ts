/** What a line of a pricing procedure says by itself. */
import type { PricingProcedure, ProcedureLine } from "../project/document.js";

type SubtotalType = NonNullable<PricingProcedure["subtotalTypes"]>[number];

/** The lines in the order of evaluation. */
export function sortedLines(procedure: PricingProcedure): ProcedureLine[] {
  return [...procedure.lines].sort((a, b) => a.level - b.level || a.counter - b.counter);
}

/** The type that a subtotal of the procedure names. */
export function subtotalTypeOf(line: ProcedureLine, procedure: PricingProcedure): SubtotalType | undefined {
  if (line.kind !== "subtotal" || line.subtotalType === undefined) return undefined;
  return procedure.subtotalTypes?.find(({ name }) => name === line.subtotalType);
}

/**
 * Whether a subtotal is a margin: by its subtotal type, where the procedure lacks it by the names that project files
 * use, or by its tags.
 */
export function marginOf(
  line: ProcedureLine,
  procedure: PricingProcedure,
): "amount" | "relative" | undefined {
  if (line.kind !== "subtotal") return undefined;
  const type = subtotalTypeOf(line, procedure);
  if (type?.margin) return type.rule === "percent" ? "relative" : "amount";
  if (line.subtotalType === "PMQ" || line.tags.includes("MARGIN_QTY")) return "amount";
  if (line.subtotalType === "PMP" || line.tags.includes("MARGIN_REL")) return "relative";
  return undefined;
}
