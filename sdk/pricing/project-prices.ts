/** The prices of a project in one scheme, as reports and exports need them. */

import type { Procedures } from "../plugin/host.js";
import type { Calculation, PricingProcedure, ProjectDocument } from "../project/document.js";
import { RequestError, type Suppression } from "../schema/errors.js";
import { calculationSteps } from "./calculate.js";
import { countedItemIds } from "./positions.js";
import { SheetReader } from "./sheet-lines.js";
import { stepsInTurns } from "./steps.js";

/** Sheets and the procedure that defines their lines. */
export interface ProjectPrices {
  /** Defines the lines of the sheets. */
  procedure: PricingProcedure;
  /** The sheets: one per item, and the header sheet. */
  calculation: Calculation;
  /** Accessor for the sheets. */
  sheets: SheetReader;
  /** Ids of the items that the header sheet adds up. */
  countedItemIds: readonly string[];
  /** Prices that could not be used: `item-price-error`. */
  errors: readonly Suppression[];
}

/** One entry per project document; a new revision of a session's project is a new document. */
const known = new WeakMap<ProjectDocument, Map<string, Promise<ProjectPrices>>>();

/**
 * The sheets in the project or, if there are none, computed sheets. These are computed once per project
 * document and procedure, interleaved with other work of the process; the document must not change
 * afterwards.
 * @throws {@link RequestError} 422 `request-calculation-not-found` if neither project nor server know the
 *   scheme
 */
export async function projectPrices(
  project: ProjectDocument,
  scheme: string,
  serverProcedures: Procedures,
): Promise<ProjectPrices> {
  const byScheme = known.get(project) ?? new Map<string, Promise<ProjectPrices>>();
  known.set(project, byScheme);
  const found = byScheme.get(scheme);
  if (found !== undefined) return await found;
  const procedure = await findProcedure(project, scheme, serverProcedures);
  // Another caller may have started in the meantime.
  const prices = byScheme.get(scheme) ?? pricesOf(project, procedure);
  byScheme.set(scheme, prices);
  prices.catch(() => byScheme.delete(scheme));
  return await prices;
}

async function pricesOf(project: ProjectDocument, procedure: PricingProcedure): Promise<ProjectPrices> {
  return {
    procedure,
    sheets: new SheetReader(procedure),
    countedItemIds: countedItemIds(project, procedure.name),
    ...(await stepsInTurns(calculationSteps(project, procedure))),
  };
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
