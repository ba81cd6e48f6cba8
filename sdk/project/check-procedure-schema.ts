import { sdkCheck } from "../schema/validation.js";
import type { PricingProcedure } from "./procedure.js";

/** Checks a value against the schema of pricing procedures; `checkProcedure` finds what a schema cannot say. */
export const checkProcedureSchema = sdkCheck<typeof PricingProcedure>("procedure", "procedure");
