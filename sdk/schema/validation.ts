/** Validates values against schemas, for requests, configuration, projects and responses. */
import { createRequire } from "node:module";
import { Ajv2020, type ErrorObject, type Options } from "ajv/dist/2020.js";
import { RequestError } from "./errors.js";
import { addFormats } from "./formats-of-texts.js";
import { deepestNesting, isLarger, isTooDeep } from "./nesting.js";
import { once } from "./once.js";
import type { Static, TSchema } from "./schema.js";
import { withTaggedUnions } from "./tagged-unions.js";
import { shortened } from "./text.js";
import { aValue, describe, noSuchField, nothing, shownValue, type Violation } from "./violation.js";

/** Result of a check: the typed value, or all errors. */
export type Checked<T> = { ok: true; value: T } | { ok: false; violations: Violation[] };

/** Fills the schema's defaults into the given value, and lists its errors, up to 1,000. */
export type Check<T> = (value: unknown) => Checked<T>;

/** For larger values only the first error is reported: collecting a million of them would take seconds. */
const mostValues = 50_000;

/** Further errors of a value are not listed. */
const mostViolations = 1000;

/** Compiled schemas of one owner (a plugin version, the host); they are freed with it. */
export class Validator {
  private readonly coerce: boolean;
  private readonly lazy: boolean;
  /** Stops at the first error. */
  private quick: Ajv2020 | undefined;
  /** Finds all errors; created for the first invalid value. */
  private thorough: Ajv2020 | undefined;

  /**
   * `coerce` converts texts to numbers and booleans where the schema requires them: for query strings only. `lazy`
   * compiles a schema for its first value; errors in the schema itself appear only then.
   */
  constructor(options: { coerce?: boolean; lazy?: boolean } = {}) {
    this.coerce = options.coerce ?? false;
    this.lazy = options.lazy ?? false;
  }

  /** `name` is the start of every path in the violations: "body", "query", "config". */
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

/** Returns whether a value matches a schema; `errors` has the errors of the last call. */
export interface BuiltValidator {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/**
 * The check of a schema that the build has compiled, because compiling it takes long. `load` imports the modules `file` and
 * `<file>-mistakes` of the validators, for the first value and the first invalid one.
 */
export function builtCheck<S extends TSchema>(
  name: string,
  file: string,
  load: (file: string) => unknown,
): Check<Static<S>> {
  const validator = (module: string) => (): BuiltValidator => {
    const built = load(module);
    if (!isBuilt(built)) throw new Error("The installation is not built completely; run its build again.");
    return built;
  };
  return checkWith<Static<S>>(name, validator(file), validator(`${file}-mistakes`));
}

const require = createRequire(import.meta.url);

/** The check of a schema of the SDK that its build has compiled (`write-validators.mjs`) as `file`. */
export function sdkCheck<S extends TSchema>(name: string, file: string): Check<Static<S>> {
  return builtCheck<S>(name, file, (each) => require(`@slipway/sdk/validators/${each}`));
}

function isBuilt(value: unknown): value is BuiltValidator {
  return typeof value === "function";
}

/** `quick` stops at the first error of a value, `thorough` finds all. */
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

/** Ajv with the options of all checks. */
export function ajv({ code, ...options }: Options): Ajv2020 {
  const made = new Ajv2020({
    useDefaults: true,
    verbose: true,
    ...options,
    discriminator: true,
    strict: false,
    // TypeBox creates valid schemas, and compiling the meta-schema costs more than most of ours.
    validateSchema: false,
    // Optimized code is not faster here, and optimizing takes as long as compiling.
    code: { ...code, optimize: false },
  });
  addFormats(made);
  return made;
}

const shownViolations = 50;
/** Limits of violations in characters: names and values are external and as long as a request may be. */
const longestName = 100;
const longestPath = 1000;
/** Limit of all violations of one error, as JSON; the first one is always included. */
const longestList = 8000;
/** Limit of those that its message names, in characters; all are in `additionalInformation`. */
const longestSentence = 240;

/** The value, or a 400 `request-bad-request` that lists all violations. */
export function checked<T>(result: Checked<T>, what: string): T {
  if (result.ok) return result.value;
  throw badRequest(what, result.violations);
}

/**
 * A 400 `request-bad-request` that names fields, expectations and received values, within the size limit of an error.
 * `what` is the beginning of its message, such as "The request is not valid"; `{ message }` is a whole one, for mistakes
 * that are not about the form of a value.
 */
export function badRequest(what: string | { message: string }, found: Violation[]): RequestError {
  let room = longestList;
  const shown = found.slice(0, shownViolations).flatMap((each, index) => {
    const cut = shortenedViolation(each);
    room -= JSON.stringify(cut).length;
    return index === 0 || room >= 0 ? [cut] : [];
  });
  return new RequestError({
    id: "request-bad-request",
    code: 400,
    message: typeof what === "string" ? `${what}: ${sentence(shown, found.length)}.` : what.message,
    additionalInformation: { violations: shown },
  });
}

/** The first violations, as many as people read, without the full stop; at least one. `count`: of all. */
function sentence(shown: readonly Violation[], count: number): string {
  const listed: string[] = [];
  let length = 0;
  for (const text of shown.map(describe)) {
    length += text.length;
    if (listed.length > 0 && length > longestSentence) break;
    listed.push(text);
  }
  const more = count - listed.length;
  return `${listed.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

function shortenedViolation({ path, expected, received }: Violation): Violation {
  return {
    path: shortened(path, longestPath),
    expected: shortened(expected, longestPath),
    received: shortened(received, longestPath),
  };
}

/** The violation of a value that is nested too deep. */
export function tooDeep(path: string): Violation {
  return { path, expected: `at most ${deepestNesting} levels of nesting`, received: "more" };
}

function violations(errors: ErrorObject[], name: string, root: unknown): Violation[] {
  const found = relevant(errors)
    .slice(0, mostViolations)
    .map((error) => violation(error, name, root));
  const seen = new Set<string>();
  return found.filter((each) => {
    const text = describe(each);
    return !seen.has(text) && Boolean(seen.add(text));
  });
}

/**
 * A value that matches no branch of a union is one error instead of one per branch; only the outermost union is
 * reported. An unknown tag is already an error of the tag's enumeration.
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
        expected: aValue,
        received: nothing,
      };
    case "additionalProperties":
    case "unevaluatedProperties": {
      const key = String(params["additionalProperty"] ?? params["unevaluatedProperty"]);
      return {
        path: `${path}.${shortened(key, longestName)}`,
        expected: noSuchField,
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

/** The branches of a union if each is a plain type or a constant, such as "an integer or null". */
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
