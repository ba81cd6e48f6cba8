/** What fits a schema, what does not, and the places where a body can be wrong. */
import fc from "fast-check";
import type { RequestDescription, Schema } from "./every-route-document.js";

/** A member of a body, or of a member of it: names and indexes on the way, and what fits there. */
export interface Place {
  path: readonly (string | number)[];
  schema: Schema;
  /** A member that may be left out. */
  isOptional: boolean;
}

const deepest = 4;

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function members(schema: Schema): [string, Schema][] {
  const { properties } = schema;
  return isSchema(properties)
    ? Object.entries(properties).flatMap(([name, value]): [string, Schema][] =>
        isSchema(value) ? [[name, value]] : [],
      )
    : [];
}

function requiredOf({ required }: Schema): string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

function formsOf(schema: Schema): Schema[] {
  const forms = schema["anyOf"] ?? schema["oneOf"];
  return Array.isArray(forms) ? forms.filter(isSchema) : [];
}

const count = (value: unknown, fallback: number): number => (typeof value === "number" ? value : fallback);

/** By schema and depth: the same schemas come back in a project again and again. */
const known = new WeakMap<Schema, Map<number, fc.Arbitrary<unknown>>>();

/** Values that fit a schema; deep down only the members that have to be. */
export function fitting(description: RequestDescription, given: Schema, depth = 0): fc.Arbitrary<unknown> {
  const schema = description.resolved(given);
  const byDepth = known.get(schema) ?? new Map<number, fc.Arbitrary<unknown>>();
  known.set(schema, byDepth);
  const made = byDepth.get(depth) ?? newFitting(description, schema, depth);
  byDepth.set(depth, made);
  return made;
}

function newFitting(description: RequestDescription, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema["const"]);
  const { enum: values, type } = schema;
  if (Array.isArray(values)) return fc.constantFrom(...values);
  const forms = formsOf(schema);
  if (forms.length > 0)
    // Deep down the last form, which holds no others in the schemas of projects.
    return fc.oneof(
      ...forms.slice(depth > deepest ? -1 : 0).map((form) => fitting(description, form, depth + 1)),
    );
  switch (type) {
    case "string":
      return fittingText(schema);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({
        min: count(schema["minimum"], -1000),
        max: Math.min(1000, count(schema["maximum"], 1000)),
      });
    case "number":
      return fc.double({ min: 0, max: 1000, noNaN: true });
    case "null":
      return fc.constant(null);
    case "array":
      return fittingList(description, schema, depth);
    case "object":
      return fittingObject(description, schema, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function fittingText({ format, pattern, minLength, maxLength }: Schema): fc.Arbitrary<unknown> {
  if (format === "uuid") return fc.uuid();
  if (format === "date") return fc.constantFrom("2026-02-28", "1999-12-31");
  if (format === "date-time") return fc.constantFrom("2026-02-28T10:00:00Z", "1999-12-31T23:59:59+01:00");
  if (typeof pattern === "string")
    return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, 40));
  return fc.string({
    minLength: count(minLength, 0),
    maxLength: Math.min(20, count(maxLength, 20)),
    unit: "binary",
  });
}

function fittingList(description: RequestDescription, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const { items } = schema;
  const minLength = count(schema["minItems"], 0);
  const maxLength = Math.max(minLength, depth > deepest ? 0 : 2);
  const item = isSchema(items) ? fitting(description, items, depth + 1) : fc.jsonValue({ maxDepth: 1 });
  return maxLength === 0 ? fc.constant([]) : fc.array(item, { minLength, maxLength });
}

function fittingObject(
  description: RequestDescription,
  schema: Schema,
  depth: number,
): fc.Arbitrary<unknown> {
  const required = requiredOf(schema);
  const wanted = members(schema).filter(([name]) => depth < 3 || required.includes(name));
  const inner = Object.fromEntries(
    wanted.map(([name, member]) => [name, fitting(description, member, depth + 1)]),
  );
  return fc.record(inner, { requiredKeys: required.filter((name) => name in inner), noNullPrototype: true });
}

/** The smallest body that fits, with what a host needs to find in it. */
export function smallest(description: RequestDescription, given: Schema, known: Schema): unknown {
  const schema = description.resolved(given);
  const forms = formsOf(schema);
  if (forms[0] !== undefined) return smallest(description, forms[0], known);
  if (schema["type"] !== "object") return smallestLeaf(schema);
  const required = new Set(requiredOf(schema));
  return Object.fromEntries(
    members(schema)
      .filter(([name]) => required.has(name))
      .map(([name, member]) => [name, name in known ? known[name] : smallest(description, member, known)]),
  );
}

/** Of a list none of its items. */
function smallestLeaf({
  const: constant,
  enum: values,
  type,
  format,
  pattern,
  minLength,
  minimum,
}: Schema): unknown {
  if (constant !== undefined) return constant;
  if (Array.isArray(values)) return values[0];
  if (type === "array") return [];
  if (type === "boolean") return false;
  if (type === "integer" || type === "number") return count(minimum, 0);
  if (type !== "string") return null;
  if (format === "uuid") return "00000000-0000-4000-8000-000000000000";
  if (format === "date") return "2026-02-28";
  if (format === "date-time") return "2026-02-28T10:00:00Z";
  if (typeof pattern !== "string") return "a".repeat(count(minLength, 0));
  return ["1", "a", "A", "0.01", "EUR"].find((text) => new RegExp(pattern).test(text)) ?? "";
}

/** All places of a body, as deep as four levels; of unions those of their first form. */
export function placesOf(
  description: RequestDescription,
  given: Schema,
  path: readonly (string | number)[] = [],
  isOptional = false,
): Place[] {
  const schema = description.resolved(given);
  const own = path.length > 0 ? [{ path, schema, isOptional }] : [];
  if (path.length >= deepest) return own;
  const [form] = formsOf(schema);
  if (form !== undefined) return [...own, ...placesOf(description, form, path).slice(own.length)];
  const { items } = schema;
  const required = requiredOf(schema);
  const inside = isSchema(items)
    ? placesOf(description, items, [...path, 0])
    : members(schema).flatMap(([name, member]) =>
        placesOf(description, member, [...path, name], !required.includes(name)),
      );
  return [...own, ...inside];
}

/** A copy of a body with something else at a place; what is on the way there is made the smallest that fits. */
export function changedAt(
  description: RequestDescription,
  given: Schema,
  body: unknown,
  path: readonly (string | number)[],
  value: unknown,
): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const resolved = description.resolved(given);
  const schema = description.resolved(formsOf(resolved)[0] ?? resolved);
  if (typeof first === "number") {
    const { items } = schema;
    const inner = isSchema(items) ? items : {};
    return [changedAt(description, inner, smallest(description, inner, {}), rest, value)];
  }
  const inner = new Map(members(schema)).get(first) ?? {};
  const own = isSchema(body) ? body : {};
  const before = first in own ? own[first] : smallest(description, inner, {});
  return { ...own, [first]: changedAt(description, inner, before, rest, value) };
}

/** Where a violation says that a place is. */
export function shownPlace(root: string, path: readonly (string | number)[]): string {
  return root + path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
}
