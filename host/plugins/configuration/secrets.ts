/** Finds the secrets of a configuration by its schema, which marks them with `secret: true`. */
import { containsSecrets } from "@slipway/sdk/runtime/host";
import { isJsonObject, type JsonPath, valueAt } from "../../system/json.js";
import type { Settings } from "./plugin-settings.js";

/** Keywords that say which members a value has; a secret below any other one hides the whole value. */
const memberKeywords: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "additionalProperties",
  "anyOf",
  "oneOf",
  "allOf",
  "$defs",
  "definitions",
]);

/**
 * The places of the secrets of a schema: those that it names, and those that the values have, such as in the entries of
 * a map. A list with secrets is one secret. In a configuration with secrets, so are members that the schema does not
 * describe: a misspelled name may have a secret as its value.
 */
export function secretPaths(schema: unknown, values: readonly Settings[]): JsonPath[] {
  if (!containsSecrets(schema)) return [];
  const found = pathsBelow([schema], values, []);
  return [...new Map(found.map((path) => [JSON.stringify(path), path])).values()];
}

/** `schemas`: all that apply to the value at this place, in any of the given configurations. */
function pathsBelow(schemas: readonly unknown[], values: readonly unknown[], path: JsonPath): JsonPath[] {
  const nodes = schemas.flatMap(withAlternatives);
  if (nodes.some(isSecret)) return [path];
  const objects = values.filter(isJsonObject);
  const named = nodes.flatMap(({ properties }) => (isJsonObject(properties) ? Object.keys(properties) : []));
  const names = new Set([...named, ...objects.flatMap((each) => Object.keys(each))]);
  return [...names].flatMap((name) => {
    const inner = objects.flatMap((each) => (Object.hasOwn(each, name) ? [each[name]] : []));
    const described = nodes.flatMap((node) => memberSchemas(node, name));
    if (described.length === 0) return [[...path, name]];
    return described.some(containsSecrets) ? pathsBelow(described, inner, [...path, name]) : [];
  });
}

function withAlternatives(schema: unknown): Settings[] {
  if (!isJsonObject(schema)) return [];
  const { anyOf, oneOf, allOf } = schema;
  const others = [anyOf, oneOf, allOf].flatMap((each) => (Array.isArray(each) ? each : []));
  return [schema, ...others.flatMap(withAlternatives)];
}

/** Whether a value is a secret as a whole. References are not followed: what they lead to may be a secret. */
function isSecret(schema: Settings): boolean {
  if (schema["secret"] === true || "$ref" in schema) return true;
  return Object.entries(schema).some(([key, value]) => !memberKeywords.has(key) && containsSecrets(value));
}

/** All that may apply to a member. Patterns are not matched: they are the plugin's, and run in the host. */
function memberSchemas({ properties, patternProperties, additionalProperties }: Settings, name: string) {
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) return [properties[name]];
  const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
  return isJsonObject(additionalProperties) ? [...patterns, additionalProperties] : patterns;
}

/** A copy without the values at some paths. */
export function without(settings: Settings, paths: readonly JsonPath[]): Record<string, unknown> {
  // The configuration as a whole is a secret.
  if (paths.some(({ length }) => length === 0)) return {};
  const copy = structuredClone(settings);
  for (const path of paths) {
    const outer = valueAt(copy, path.slice(0, -1));
    if (isJsonObject(outer)) delete outer[path.at(-1) ?? ""];
  }
  return copy;
}

/**
 * A copy of changes in which absent secrets are those that are saved, and secrets that are null are absent. A secret is
 * absent, and not removed with its object, if its object is in the changes.
 */
export function withSavedSecrets(next: Settings, saved: Settings, paths: readonly JsonPath[]): Settings {
  const copy = structuredClone(next);
  for (const path of paths) {
    const outer = valueAt(copy, path.slice(0, -1));
    const name = path.at(-1);
    if (!isJsonObject(outer) || name === undefined) continue;
    const before = valueAt(saved, path);
    if (!Object.hasOwn(outer, name) && before !== undefined) outer[name] = before;
  }
  for (const path of paths) {
    const outer = valueAt(copy, path.slice(0, -1));
    const name = path.at(-1);
    if (isJsonObject(outer) && name !== undefined && outer[name] === null) delete outer[name];
  }
  return copy;
}

/** A text without the secrets in it: a plugin may repeat its configuration in a message. */
export function withoutSecretTexts(text: string, values: readonly unknown[]): string {
  const texts = values.flatMap(textsIn).filter(({ length }) => length >= shortestSecret);
  // Longer ones first: one may contain another.
  return texts
    .sort((one, other) => other.length - one.length)
    .reduce((shown, secret) => shown.replaceAll(secret, "(hidden)"), text);
}

/** Characters; shorter texts occur in messages by chance. */
const shortestSecret = 4;

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
