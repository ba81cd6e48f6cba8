/** The formats of JSON Schema, such as "date" and "uuid", and their limits. */
import { type Ajv2020, str } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";

/** Keywords that compare a text with a limit: the sign in messages, and the accepted comparison results. */
const limits: readonly [keyword: string, sign: string, fits: (order: number) => boolean][] = [
  ["formatMinimum", ">=", (order) => order >= 0],
  ["formatMaximum", "<=", (order) => order <= 0],
  ["formatExclusiveMinimum", ">", (order) => order > 0],
  ["formatExclusiveMaximum", "<", (order) => order < 0],
];

/**
 * Replaces the plugin of ajv-formats, which uses the copy of ajv next to it. In an installation of the SDK, that copy may
 * be another version, whose code does not fit.
 */
export function addFormats(ajv: Ajv2020): void {
  for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, format);
  // For forms only: any text fits.
  ajv.addFormat("multiline", true);
  for (const [keyword, sign, fits] of limits) {
    ajv.addKeyword({
      keyword,
      type: "string",
      schemaType: "string",
      dependencies: ["format"],
      error: { message: ({ schemaCode }) => str`should be ${sign} ${schemaCode}` },
      compile: (limit: string, { format }) => {
        const compare = comparison(String(format));
        return (value: string) => compare === undefined || fits(compare(value, limit) ?? 0);
      },
    });
  }
}

type Comparison = (left: string, right: string) => number | undefined;

/** Undefined for an unknown format and for one that does not restrict texts. */
function comparison(name: string): Comparison | undefined {
  const format: unknown = new Map<string, unknown>(Object.entries(fullFormats)).get(name);
  if (format === undefined || format === true) return undefined;
  if (typeof format === "object" && format !== null && "compare" in format && isComparison(format.compare))
    return format.compare;
  throw new Error(`The format "${name}" has no order, so nothing of it can have a limit`);
}

function isComparison(value: unknown): value is Comparison {
  return typeof value === "function";
}
