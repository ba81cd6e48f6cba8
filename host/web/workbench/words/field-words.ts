import type { Language } from "../../parts/language.js";

/** What a setting is called, and what it does. */
export interface FieldText {
  title: string;
  help?: string;
  /** What its values are called, by value. */
  values?: Readonly<Record<string, string>>;
}

/** Settings that belong together, in the order in which they are asked for. */
export interface FieldGroup {
  title: Readonly<Record<Language, string>>;
  /** By the names that the plugin gives them. */
  fields: Readonly<Record<string, Readonly<Record<Language, FieldText>>>>;
}
