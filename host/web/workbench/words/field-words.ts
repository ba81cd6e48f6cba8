/** What a setting is called, and what it does. */
export interface FieldText {
  title: string;
  help?: string;
  /** What its values are called, by value. */
  values?: Readonly<Record<string, string>>;
}

/** Settings that belong together, in the order in which they are asked for. */
export interface FieldGroup {
  title: string;
  /** By the names that the plugin gives them. */
  fields: Readonly<Record<string, FieldText>>;
}
