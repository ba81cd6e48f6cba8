import { _ } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import type { TSchema } from "./schema.js";
import { withTaggedUnions } from "./tagged-unions.js";
import { ajv } from "./validation.js";

/** Sources of CommonJS modules for `builtCheck`; each exports a function that validates by the schema. */
export function validatorCode(schema: TSchema): { quick: string; thorough: string } {
  const tagged = withTaggedUnions(schema);
  const formats = _`require("ajv-formats/dist/formats.js").fullFormats`;
  const codeOf = (options: { allErrors: boolean; verbose: boolean }): string => {
    const made = ajv({ ...options, coerceTypes: false, code: { source: true, formats } });
    return standaloneCode.default(made, made.compile(tagged));
  };
  return {
    quick: codeOf({ allErrors: false, verbose: false }),
    thorough: codeOf({ allErrors: true, verbose: true }),
  };
}
