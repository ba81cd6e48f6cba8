import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { isJsonObject, type JsonPath, jsonPointer, valueAt } from "../../../system/json.js";
import type { PluginConfiguration } from "../../client/operations.js";
import type { Schema } from "../schema.js";

/** A merge patch over the defaults; null removes a member. */
export type Changes = Readonly<Record<string, unknown>>;

/** A value that the host refused, and why. */
export interface Violation {
  /** Such as "config.mail.port". */
  path: string;
  expected: string;
}

/** The input of a form: JSON schema, default values, current values, and what cannot be changed. */
export type GivenValues = Pick<PluginConfiguration, "schema" | "defaults" | "values" | "fixed" | "secrets">;

/** State that all fields of a form share. */
export interface FormState {
  given: GivenValues;
  /** Whether the form shows technical names and values. */
  isTechnical: boolean;
  changes: Changes;
  /** Violations of the last attempt to save. */
  violations: readonly Violation[];
  /** Why the form is read-only; undefined if it is not. */
  prevented: string | undefined;
  change(path: JsonPath, value: unknown): void;
  /** Resets a member to its default. */
  reset(path: JsonPath): void;
}

export const FormContext = createContext<FormState | undefined>(undefined);

/** The state of the form around a field. */
export function useForm(): FormState {
  const state = useContext(FormContext);
  if (state === undefined) throw new Error("The field is outside of a form.");
  return state;
}

/** Properties of the field of a member. */
export interface MemberProperties {
  path: JsonPath;
  schema: Schema;
  /** Title if the schema has none. */
  name: string;
  isRequired?: boolean;
  /** Whether it is an entry of a map. */
  isEntry?: boolean;
}

/** The title of a member. */
export function titleOf({ schema, name }: Pick<MemberProperties, "schema" | "name">): string {
  return typeof schema["title"] === "string" ? schema["title"] : name;
}

/** The changes with a value at a path. */
export function withValue(changes: Changes, [name, ...rest]: JsonPath, value: unknown): Changes {
  if (name === undefined) return changes;
  const inner = Object.hasOwn(changes, name) ? changes[name] : undefined;
  const below = rest.length === 0 ? value : withValue(isJsonObject(inner) ? inner : {}, rest, value);
  return { ...changes, [name]: below };
}

/** The changes without those at a path. Their parent object stays, because it may contain a saved secret. */
export function withoutValue(changes: Changes, [name, ...rest]: JsonPath): Changes {
  if (name === undefined || !Object.hasOwn(changes, name)) return changes;
  const { [name]: inner, ...others } = changes;
  if (rest.length === 0) return others;
  return isJsonObject(inner) ? { ...changes, [name]: withoutValue(inner, rest) } : changes;
}

/** The default value: that of the plugin, or else of its schema. */
export function defaultAt({ defaults }: GivenValues, schema: Schema, path: JsonPath): unknown {
  return valueAt(defaults, path) ?? schema["default"];
}

/** Whether the host's configuration sets the value at a path, or one of its ancestors. */
export function isFixed({ fixed }: GivenValues, path: JsonPath): boolean {
  return path.some((_, index) => fixed.includes(jsonPointer(path.slice(0, index + 1))));
}

/** Whether the host's configuration sets the value at a path, or something below it. */
export function isPartlyFixed(given: GivenValues, path: JsonPath): boolean {
  const pointer = jsonPointer(path);
  return isFixed(given, path) || given.fixed.some((each) => each.startsWith(`${pointer}/`));
}

/** The violations in a refusal; empty if there was another reason. */
export function violationsIn(information: unknown): Violation[] {
  const found = isJsonObject(information) ? information["violations"] : undefined;
  return (Array.isArray(found) ? found : []).flatMap((each: unknown) => {
    if (!isJsonObject(each)) return [];
    const { path, expected } = each;
    return typeof path === "string" && typeof expected === "string" ? [{ path, expected }] : [];
  });
}

/** The mistakes at a path; with `isWhole` also those below it. */
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
