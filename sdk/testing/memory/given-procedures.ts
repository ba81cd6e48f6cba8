import { readFile } from "node:fs/promises";
import type { Procedures } from "../../plugin/host.js";
import { PricingProcedure } from "../../project/document.js";
import { type Check, checked, Validator } from "../../validation.js";

/** Written by the build. */
const standardFile = new URL("../STDB2B_WBK.json", import.meta.url);

/** Both for all hosts of a test run. */
let standard: Promise<PricingProcedure> | undefined;
let check: Check<PricingProcedure> | undefined;

/**
 * The procedures of a test, and STDB2B_WBK, which every host has. Throws 400 `request-bad-request` for one that does not fit the
 * schema.
 */
export function givenProcedures(given: readonly PricingProcedure[]): Procedures {
  const procedures = new Map(given.map(copyOf).map((procedure) => [procedure.name, procedure]));
  return {
    find: async (name) => {
      const found = procedures.get(name);
      if (found !== undefined || name !== "STDB2B_WBK") return found;
      standard ??= readFile(standardFile, "utf8").then((text) => copyOf(JSON.parse(text)));
      return await standard;
    },
  };
}

/** After a way through JSON, so that what the test has stays as it is. */
function copyOf(procedure: unknown): PricingProcedure {
  check ??= new Validator().compile(PricingProcedure, "procedure");
  const copy: unknown = JSON.parse(JSON.stringify(procedure));
  return checked(check(copy), "The pricing procedure is not valid");
}
