import { readFile } from "node:fs/promises";
import type { Procedures } from "../../host.js";
import { PricingProcedure } from "../../project/document.js";
import { checked, Validator } from "../../validation.js";

/** Written by the build, beside this module's parent. */
const standardFile = new URL("../STDB2B_WBK.json", import.meta.url);

/**
 * The procedures of a test, and STDB2B_WBK, which every host has. Rejects with 400 `request-bad-request` for one that does not
 * fit the schema.
 */
export async function givenProcedures(given: readonly PricingProcedure[]): Promise<Procedures> {
  const check = new Validator().compile(PricingProcedure, "procedure");
  const procedures = new Map<string, PricingProcedure>();
  for (const each of [JSON.parse(await readFile(standardFile, "utf8")), ...given]) {
    const copy: unknown = JSON.parse(JSON.stringify(each));
    const procedure = checked(check(copy), "The pricing procedure is not valid");
    procedures.set(procedure.name, procedure);
  }
  return { find: async (name) => procedures.get(name) };
}
