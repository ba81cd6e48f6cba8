/** Recognizes schemas that are certain to compile, so that compiling can wait for the first value. */
import { fullFormats } from "ajv-formats/dist/formats.js";
import { isRecord } from "../../schema/record.js";

/** Deeper schemas are left to the compiler. */
const deepest = 50;

const types = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
const formats = new Set(Object.keys(fullFormats));

type Test = (value: unknown, depth: number) => boolean;

const isCount: Test = (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const isNumber: Test = (value) => typeof value === "number" && Number.isFinite(value);
const isText: Test = (value) => typeof value === "string";
const isBoolean: Test = (value) => typeof value === "boolean";
const isAnything: Test = () => true;
const isSchemaOrBoolean: Test = (value, depth) => isBoolean(value, depth) || isSchema(value, depth);
const isFullList =
  (fits: Test): Test =>
  (value, depth) =>
    Array.isArray(value) && value.length > 0 && value.every((each) => fits(each, depth));
const isType: Test = (value) => typeof value === "string" && types.has(value);

/** Values of keywords with which the compiler never fails. Keywords that refer to others are missing on purpose. */
const keywords = new Map<string, Test>([
  ["type", (value, depth) => isType(value, depth) || isFullList(isType)(value, depth)],
  [
    "properties",
    (value, depth) => isRecord(value) && Object.values(value).every((each) => isSchema(each, depth)),
  ],
  [
    "patternProperties",
    (value, depth) =>
      isRecord(value) &&
      Object.entries(value).every(([pattern, each]) => isPattern(pattern) && isSchema(each, depth)),
  ],
  ["additionalProperties", isSchemaOrBoolean],
  ["required", (value, depth) => Array.isArray(value) && value.every((each) => isText(each, depth))],
  ["items", isSchema],
  ["anyOf", isFullList(isSchema)],
  ["enum", isFullList(isAnything)],
  ["const", isAnything],
  ["pattern", isPattern],
  ["format", (value) => typeof value === "string" && formats.has(value)],
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map(
    (name): [string, Test] => [name, isCount],
  ),
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map((name): [string, Test] => [
    name,
    isNumber,
  ]),
  ["uniqueItems", isBoolean],
  ...["title", "description", "default", "examples", "deprecated"].map((name): [string, Test] => [
    name,
    isAnything,
  ]),
]);

/** Whether the schema is certain to compile. If not, it may still be valid. */
export function isCertainlyValid(schema: unknown): boolean {
  return isSchema(schema, 0);
}

function isSchema(value: unknown, depth: number): boolean {
  if (!isRecord(value) || depth > deepest) return false;
  return Object.entries(value).every(
    // What is undefined is not in the JSON of the schema.
    ([keyword, given]) => given === undefined || keywords.get(keyword)?.(given, depth + 1) === true,
  );
}

function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    return new RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
