/** Changes as a form makes them: a merge patch over the defaults. */
import { isJsonObject, type JsonPath, jsonPointer, valueAt } from "../../../system/json.js";
import type { Schema } from "../schema.js";
import type { GivenValues } from "./form-state.js";

/** What replaces the saved changes; null removes a member. */
export type Changes = Readonly<Record<string, unknown>>;

/** The changes with a value at a path. */
export function withValue(changes: Changes, [name, ...rest]: JsonPath, value: unknown): Changes {
  if (name === undefined) return changes;
  const inner = Object.hasOwn(changes, name) ? changes[name] : undefined;
  const below = rest.length === 0 ? value : withValue(isJsonObject(inner) ? inner : {}, rest, value);
  return { ...changes, [name]: below };
}

/** The changes without those at a path. An object that held them stays: it may hold a saved secret. */
export function withoutValue(changes: Changes, [name, ...rest]: JsonPath): Changes {
  if (name === undefined || !Object.hasOwn(changes, name)) return changes;
  const { [name]: inner, ...others } = changes;
  if (rest.length === 0) return others;
  return isJsonObject(inner) ? { ...changes, [name]: withoutValue(inner, rest) } : changes;
}

/** The value without changes: of the plugin's defaults, or else of its schema. */
export function defaultAt({ defaults }: GivenValues, schema: Schema, path: JsonPath): unknown {
  return valueAt(defaults, path) ?? schema["default"];
}

/** Whether the host's configuration states the value at a path, or all of it from further out. */
export function isFixed({ fixed }: GivenValues, path: JsonPath): boolean {
  return path.some((_, index) => fixed.includes(jsonPointer(path.slice(0, index + 1))));
}

/** Whether the host's configuration states something at a path or below. */
export function isPartlyFixed(given: GivenValues, path: JsonPath): boolean {
  const pointer = jsonPointer(path);
  return isFixed(given, path) || given.fixed.some((each) => each.startsWith(`${pointer}/`));
}

/** Why the host has refused a value. */
export interface Violation {
  /** Such as "config.mail.port". */
  path: string;
  expected: string;
}

/** The mistakes of a refused change; empty where it was refused for another reason. */
export function violationsIn(information: unknown): Violation[] {
  const found = isJsonObject(information) ? information["violations"] : undefined;
  return (Array.isArray(found) ? found : []).flatMap((each: unknown) => {
    if (!isJsonObject(each)) return [];
    const { path, expected } = each;
    return typeof path === "string" && typeof expected === "string" ? [{ path, expected }] : [];
  });
}

/** What is wrong at a path, and below it where its field has all that is there. */
export function mistakesAt(
  violations: readonly Violation[],
  path: JsonPath,
  { isWhole, words }: { isWhole: boolean; words: { expected(what: string): string } },
): string[] {
  const place = path.reduce(
    (outer, name) => (/^\d+$/.test(name) ? `${outer}[${name}]` : `${outer}.${name}`),
    "config",
  );
  return violations.flatMap(({ path: found, expected }) => {
    if (found === place) return [words.expected(expected)];
    const rest = found.startsWith(place) ? found.slice(place.length) : "";
    return isWhole && /^[.[]/.test(rest) ? [`${rest.replace(/^\./, "")}: ${words.expected(expected)}`] : [];
  });
}
