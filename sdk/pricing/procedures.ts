/** Pricing procedures: facts of their lines, and the procedure and calculation of a project's report. */

import type { Procedures } from "../plugin/host.js";
import type { Calculation, PricingProcedure, ProcedureLine, ProjectDocument } from "../project/document.js";
import { RequestError } from "../schema/errors.js";

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

/**
 * The procedure with this name: the project's own, else the server's. Rejects with 422 `request-calculation-not-found`,
 * which names those of the project.
 */
export async function findProcedure(
  project: ProjectDocument,
  name: string,
  serverProcedures: Procedures,
): Promise<PricingProcedure> {
  const found =
    project.procedures?.find((procedure) => procedure.name === name) ?? (await serverProcedures.find(name));
  if (found !== undefined) return found;
  const own = project.procedures?.map((procedure) => procedure.name) ?? [];
  throw new RequestError({
    id: "request-calculation-not-found",
    code: 422,
    message: `Neither the project nor the server has the calculation scheme "${name}". Choose one of the project's schemes.`,
    additionalInformation: { calculationScheme: name, projectSchemes: own },
  });
}

/** The sheets that the sender of the project computed for this scheme. */
export function givenCalculation(project: ProjectDocument, scheme: string): Calculation | undefined {
  return project.calculations?.find((calculation) => calculation.scheme === scheme);
}
