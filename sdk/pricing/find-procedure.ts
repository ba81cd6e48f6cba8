/** Which pricing procedure and which calculation a project is reported with. */
import { RequestError } from "../errors.js";
import type { Procedures } from "../plugin/host.js";
import type { Calculation, PricingProcedure, ProjectDocument } from "../project/document.js";

/**
 * The procedure with this name: the project's own, else the server's. When there is none, 422
 * `request-calculation-not-found` names those of the project.
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
    message: `There is no price calculation scheme "${name}" in the project or on the server`,
    additionalInformation: { calculationScheme: name, projectSchemes: own },
  });
}

/** The sheets that the sender of the project computed for this scheme. */
export function givenCalculation(project: ProjectDocument, scheme: string): Calculation | undefined {
  return project.calculations?.find((calculation) => calculation.scheme === scheme);
}
