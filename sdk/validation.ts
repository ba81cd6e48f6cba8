/** Checks values against schemas, once for requests, configuration, projects and responses. */
import { Ajv2020, type ErrorObject, type Options } from "ajv/dist/2020.js";
import { RequestError } from "./errors.js";
import { addFormats } from "./formats-of-texts.js";
import { deepestNesting, isLarger, isTooDeep } from "./nesting.js";
import type { Static, TSchema } from "./schema.js";
import { shortened } from "./shortened.js";
import { withTaggedUnions } from "./tagged-unions.js";

/** One thing that is wrong with a value: where, what was expected, what came instead. */
export interface Violation {
  /** Such as "body.pageBreaks[0].value". */
  path: string;
  /** In words, such as "an integer" or "no such field". */
  expected: string;
  /** The value as JSON, shortened. */
  received: string;
}

/** What a check gives: the value with its type, or all that is wrong with it. */
export type Checked<T> = { ok: true; value: T } | { ok: false; violations: Violation[] };

/** Fills the defaults of the schema into the value that it is given, and lists everything that is wrong. */
export type Check<T> = (value: unknown) => Checked<T>;

/** Of larger values only the first mistake is told: collecting a million of them would take seconds. */
const mostValues = 50_000;

/** Compiled schemas of one owner (a plugin version, the host); drop it and they are gone. */
export class Validator {
  private readonly coerce: boolean;
  private readonly lazy: boolean;
  /** Stops at the first mistake. */
  private quick: Ajv2020 | undefined;
  /** Goes on to the end; made for the first value that has a mistake. */
  private thorough: Ajv2020 | undefined;

  /**
   * `coerce` turns texts into numbers and booleans where the schema wants those: for query strings only. `lazy` compiles a
   * schema for its first value; what is wrong with the schema itself shows only then.
   */
  constructor(options: { coerce?: boolean; lazy?: boolean } = {}) {
    this.coerce = options.coerce ?? false;
    this.lazy = options.lazy ?? false;
  }

  /** `name` begins every path in the violations: "body", "query", "config". */
  compile<S extends TSchema>(schema: S, name: string): Check<Static<S>> {
    const tagged = once(() => withTaggedUnions(schema));
    const quick = once(() => {
      this.quick ??= ajv({ allErrors: false, coerceTypes: this.coerce });
      return this.quick.compile<Static<S>>(tagged());
    });
    const thorough = once(() => {
      this.thorough ??= ajv({ allErrors: true, coerceTypes: this.coerce });
      return this.thorough.compile<Static<S>>(tagged());
    });
    if (!this.lazy) quick();
    return checkWith<Static<S>>(name, quick, thorough);
  }
}

/** Says whether a value fits a schema; `errors` has what it found wrong the last time. */
export interface BuiltValidator {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** The check of a schema whose code the build has made by `validatorCode`, because compiling it takes long. */
export function builtCheck<S extends TSchema>(
  name: string,
  quick: () => BuiltValidator,
  thorough: () => BuiltValidator,
): Check<Static<S>> {
  return checkWith<Static<S>>(name, quick, thorough);
}

/** `quick` fails with the first mistake of a value, `thorough` with all of them. */
function checkWith<T>(name: string, quick: () => BuiltValidator, thorough: () => BuiltValidator): Check<T> {
  const fits = (validate: BuiltValidator, value: unknown): value is T => validate(value);
  return (value) => {
    if (isTooDeep(value)) return { ok: false, violations: [tooDeep(name)] };
    const first = quick();
    if (fits(first, value)) return { ok: true, value };
    const validate = isLarger(value, mostValues) ? first : thorough();
    if (validate !== first && fits(validate, value)) return { ok: true, value };
    return { ok: false, violations: violations(validate.errors ?? [], name, value) };
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Ajv with what all checks have in common. */
export function ajv({ code, ...options }: Options): Ajv2020 {
  const made = new Ajv2020({
    useDefaults: true,
    verbose: true,
    ...options,
    discriminator: true,
    strict: false,
    // TypeBox makes well-formed schemas, and compiling the schema of schemas costs more than most of ours.
    validateSchema: false,
    // Optimized code is not quicker here, and making it takes as long again as compiling.
    code: { ...code, optimize: false },
  });
  addFormats(made);
  return made;
}

const shownViolations = 50;
/** Of what a violation tells, in characters: names and values come from outside and are as long as a request may be. */
const longestValue = 80;
const longestName = 100;
const longestPath = 1000;
/** Of all violations of one error together, as JSON; the first one is told in any case. */
const longestList = 8000;

/** The value, or a 400 `request-bad-request` that lists all violations. */
export function checked<T>(result: Checked<T>, what: string): T {
  if (result.ok) return result.value;
  throw badRequest(what, result.violations);
}

/** A 400 `request-bad-request` that names each field, what was expected and what came, as far as an answer has room for it. */
export function badRequest(what: string, found: Violation[]): RequestError {
  let room = longestList;
  const shown = found.slice(0, shownViolations).flatMap((each, index) => {
    const cut = shortenedViolation(each);
    room -= JSON.stringify(cut).length;
    return index === 0 || room >= 0 ? [cut] : [];
  });
  return new RequestError({
    id: "request-bad-request",
    code: 400,
    message: `${what}: ${shown.map(describe).join("; ")}${found.length > shown.length ? "; …" : ""}`,
    additionalInformation: { violations: shown },
  });
}

/** One violation as a sentence. */
export function describe(violation: Violation): string {
  return `${violation.path}: expected ${violation.expected}, received ${violation.received}`;
}

function shortenedViolation({ path, expected, received }: Violation): Violation {
  return {
    path: shortened(path, longestPath),
    expected: shortened(expected, longestPath),
    received: shortened(received, longestPath),
  };
}

function tooDeep(path: string): Violation {
  return { path, expected: `at most ${deepestNesting} levels of nesting`, received: "more" };
}

function violations(errors: ErrorObject[], name: string, root: unknown): Violation[] {
  const found = relevant(errors).map((error) => violation(error, name, root));
  const seen = new Set<string>();
  return found.filter((each) => {
    const text = describe(each);
    return !seen.has(text) && Boolean(seen.add(text));
  });
}

/**
 * A value that fits no form of a union is one mistake, not one for each form; the outermost union stays. A name that
 * no form has is a mistake of the name's own list of values already.
 */
function relevant(errors: ErrorObject[]): ErrorObject[] {
  const failed = errors.filter((error) => error.keyword === "anyOf");
  const unions = [...new Set(failed.map((error) => `${error.schemaPath}/`))];
  return errors.filter(
    (error) =>
      error.keyword !== "discriminator" && !unions.some((union) => error.schemaPath.startsWith(union)),
  );
}

function violation(error: ErrorObject, name: string, root: unknown): Violation {
  const path = shortened(
    `${name}${error.instancePath.split("/").slice(1).map(segment).join("")}`,
    longestPath,
  );
  const value = valueAt(root, error.instancePath);
  const params: Record<string, unknown> = error.params;
  switch (error.keyword) {
    case "required":
      return {
        path: `${path}.${String(params["missingProperty"])}`,
        expected: "a value",
        received: "nothing",
      };
    case "additionalProperties":
    case "unevaluatedProperties": {
      const key = String(params["additionalProperty"] ?? params["unevaluatedProperty"]);
      return {
        path: `${path}.${shortened(key, longestName)}`,
        expected: "no such field",
        received: shownValue(member(value, key)),
      };
    }
    case "enum":
      return {
        path,
        expected: `one of ${alternatives(params["allowedValues"])}`,
        received: shownValue(value),
      };
    case "const":
      return { path, expected: shownValue(params["allowedValue"]), received: shownValue(value) };
    case "type":
      return { path, expected: typeName(params["type"]), received: shownValue(value) };
    case "format":
      return { path, expected: `a ${String(params["format"])}`, received: shownValue(value) };
    case "anyOf":
      return { path, expected: oneOf(error.schema), received: shownValue(value) };
    default:
      return {
        path,
        expected: `a value that ${error.message ?? error.keyword}`,
        received: shownValue(value),
      };
  }
}

/** The value at a JSON pointer (RFC 6901). */
function valueAt(root: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce((value, encoded) => member(value, decoded(encoded)), root);
}

function decoded(encoded: string): string {
  return encoded.replaceAll("~1", "/").replaceAll("~0", "~");
}

function segment(encoded: string): string {
  const key = decoded(encoded);
  return /^\d+$/.test(key) ? `[${shortened(key, longestName)}]` : `.${shortened(key, longestName)}`;
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

function alternatives(values: unknown): string {
  return Array.isArray(values) ? values.map((each) => JSON.stringify(each)).join(", ") : "the allowed values";
}

/** The forms of a union where each is a plain type or one value, such as "an integer or null". */
function oneOf(forms: unknown): string {
  const names = (Array.isArray(forms) ? forms : []).map((form: unknown) => {
    if (Reflect.ownKeys(Object(form)).includes("const")) return shownValue(member(form, "const"));
    const type = member(form, "type");
    const isPlain = typeof type === "string" && type !== "object" && type !== "array";
    return isPlain ? typeName(type) : undefined;
  });
  return names.length > 0 && !names.includes(undefined)
    ? [...new Set(names)].join(" or ")
    : "one of the allowed forms";
}

function typeName(type: unknown): string {
  const name = Array.isArray(type) ? type.join(" or ") : String(type);
  if (name === "null") return name;
  return /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`;
}

/** What came, as a violation tells it: JSON of at most 80 characters, without the credentials of links, never cut inside a character. */
export function shownValue(value: unknown): string {
  const json = (JSON.stringify(value) ?? "nothing").replace(/:\/\/[^/?#\s"]*@/g, "://…@");
  return shortened(json, longestValue);
}
