import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { checked, type PricingProcedure, type Procedures } from "@slipway/sdk";
import { checkProcedureSchema } from "@slipway/sdk/runtime/host";
import { errorMessage } from "../system/errors.js";

/**
 * Reads the pricing procedures of a folder once. Rejects with a message for users when one is invalid: prices must be
 * reliable. `digest`: SHA-256 of all of them.
 */
export async function readPricingProcedures(folder: string): Promise<Procedures & { digest: string }> {
  const procedures = new Map<string, PricingProcedure>();
  const hash = createHash("sha256");
  for (const file of await procedureFiles(folder)) {
    const text = await readFile(file, "utf8");
    hash.update(text);
    const value = parsed(file, text);
    const procedure = checked(checkProcedureSchema(value), `The pricing procedure ${file} is not valid`);
    procedures.set(procedure.name, procedure);
  }
  return { digest: hash.digest("hex"), find: async (name) => procedures.get(name) };
}

async function procedureFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    const message = `The folder of pricing procedures ${folder} cannot be read; name another with folders.procedures.`;
    throw new Error(message, { cause: error });
  });
  return names
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(folder, name));
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = errorMessage(error);
    throw new Error(`The pricing procedure ${file} is no JSON: ${reason}`, { cause: error });
  }
}
