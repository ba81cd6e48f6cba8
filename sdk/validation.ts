/** Checks values against schemas, once for requests, configuration, projects and responses. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
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
  /** Stops at the first mistake. */
  private readonly quick: Ajv2020;
  /** Goes on to the end; made for the first value that has a mistake. */
  private thorough: Ajv2020 | undefined;

  /** `coerce` turns texts into numbers and booleans where the schema wants those: for query strings only. */
  constructor(options: { coerce?: boolean } = {}) {
    this.coerce = options.coerce ?? false;
    this.quick = ajv({ allErrors: false, coerceTypes: this.coerce });
  }

  /** `name` begins every path in the violations: "body", "query", "config". */
  compile<S extends TSchema>(schema: S, name: string): Check<Static<S>> {
    const tagged = withTaggedUnions(schema);
    const quick: ValidateFunction<Static<S>> = this.quick.compile<Static<S>>(tagged);
    let thorough: ValidateFunction<Static<S>> | undefined;
    return (value) => {
      if (isTooDeep(value)) return { ok: false, violations: [tooDeep(name)] };
      if (quick(value)) return { ok: true, value };
      if (isLarger(value, mostValues))
        return { ok: false, violations: violations(quick.errors ?? [], name, value) };
      this.thorough ??= ajv({ allErrors: true, coerceTypes: this.coerce });
      thorough ??= this.thorough.compile<Static<S>>(tagged);
      return thorough(value)
        ? { ok: true, value }
        : { ok: false, violations: violations(thorough.errors ?? [], name, value) };
    };
  }
}

function ajv(options: { allErrors: boolean; coerceTypes: boolean }): Ajv2020 {
  const made = new Ajv2020({
    ...options,
    useDefaults: true,
    verbose: true,
    discriminator: true,
    strict: false,
    // TypeBox makes well-formed schemas, and compiling the schema of schemas costs more than most of ours.
    validateSchema: false,
    // Optimized code is not quicker here, and making it takes as long again as compiling.
    code: { optimize: false },
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
  const value: unknown = error.instancePath === "" ? root : error.data;
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

function segment(encoded: string): string {
  const key = encoded.replaceAll("~1", "/").replaceAll("~0", "~");
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
