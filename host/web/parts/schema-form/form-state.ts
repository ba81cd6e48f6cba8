import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { JsonPath } from "../../../system/json.js";
import type { PluginConfiguration } from "../../client/operations.js";
import type { Schema } from "../schema.js";
import type { Changes, Violation } from "./changes.js";

/** What a form begins with: a JSON schema, the values that count without changes, and what cannot be changed. */
export type GivenValues = Pick<PluginConfiguration, "schema" | "defaults" | "values" | "fixed" | "secrets">;

/** What all fields of the form share. */
export interface FormState {
  given: GivenValues;
  /** Whether it shows names and values as programs know them. */
  isTechnical: boolean;
  changes: Changes;
  /** Of the last attempt to save. */
  violations: readonly Violation[];
  /** Why nothing can be changed; undefined where it can. */
  prevented: string | undefined;
  change(path: JsonPath, value: unknown): void;
  /** Back to the default. */
  reset(path: JsonPath): void;
}

export const FormContext = createContext<FormState | undefined>(undefined);

/** The state of the form around a field. */
export function useForm(): FormState {
  const state = useContext(FormContext);
  if (state === undefined) throw new Error("The field is outside of a form.");
  return state;
}

/** A member of the configuration as its field has it. */
export interface MemberProperties {
  path: JsonPath;
  schema: Schema;
  /** What it is called where its schema has no title. */
  name: string;
  isRequired?: boolean;
  /** Of a map. */
  isEntry?: boolean;
}

/** What a member is called. */
export function titleOf({ schema, name }: Pick<MemberProperties, "schema" | "name">): string {
  return typeof schema["title"] === "string" ? schema["title"] : name;
}
