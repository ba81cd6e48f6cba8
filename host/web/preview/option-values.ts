import type { TemplateOptions } from "@slipway/sdk";

/** One option of a template. */
export type OptionField = TemplateOptions["categories"][number]["fields"][number];

/** A value of an option. */
export type OptionValue = string | number | boolean | null;

/** Default values by key. */
export type UsualValues = Readonly<Record<string, OptionValue>>;

/** Values that differ from the defaults, by key. */
export type ChosenValues = ReadonlyMap<string, OptionValue>;

/** The default value of an option. */
export function usualValue(field: OptionField, usual: UsualValues): OptionValue {
  return usual[field.key] ?? field.default ?? null;
}

/** Parses the texts of an address; omits unknown options and default values. */
export function chosenValues(
  { categories }: TemplateOptions,
  usual: UsualValues,
  texts: ReadonlyMap<string, string>,
): ChosenValues {
  const chosen = new Map<string, OptionValue>();
  for (const field of categories.flatMap(({ fields }) => fields)) {
    const text = texts.get(field.key);
    const value = text === undefined ? undefined : readText(field, text);
    if (value !== undefined && value !== usualValue(field, usual)) chosen.set(field.key, value);
  }
  return chosen;
}

/** Values as texts for an address. */
export function textsOf(chosen: ChosenValues): Map<string, string> {
  return new Map([...chosen].map(([key, value]) => [key, shownValue(value)]));
}

/** A value as its field shows it. */
export function shownValue(value: OptionValue): string {
  return value === null ? "" : String(value);
}

function readText(field: OptionField, text: string): OptionValue | undefined {
  if (field.options !== undefined && text !== "" && !field.options.some(({ key }) => key === text))
    return undefined;
  if (field.type === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (field.type === "string") return field.options !== undefined && text === "" ? null : text;
  if (text === "") return null;
  return /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}
