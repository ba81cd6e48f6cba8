import { createRequire } from "node:module";
import { join } from "node:path";
import type { Check, Static, TSchema } from "@slipway/sdk";
import { builtCheck } from "@slipway/sdk/runtime";
import { builtFolder } from "./installation.js";

const require = createRequire(import.meta.url);

/**
 * The check of a schema that the build has compiled as `file` (`build/built-schemas.ts`), because compiling it holds up the
 * start. `name` is the start of every path in the violations.
 */
export function hostCheck<S extends TSchema>(name: string, file: string): Check<Static<S>> {
  return builtCheck<S>(name, file, (each) => require(join(builtFolder, "validators", `${each}.cjs`)));
}
