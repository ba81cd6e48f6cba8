import type { OptionField, TemplateOptions } from "@slipway/sdk";
import { didYouMean } from "./did-you-mean.js";
import { WrongUse } from "./wrong-use.js";

/** `key=value` texts as the values that the template's own options want. Throws `WrongUse` when one does not fit. */
export function templateOptionValues(
  texts: readonly string[],
  options: TemplateOptions,
): Record<string, unknown> {
  const fields = new Map(
    options.categories.flatMap((category) => category.fields).map((field) => [field.key, field]),
  );
  return Object.fromEntries(
    texts.map((text) => {
      const [, key = "", value = ""] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
      if (key === "") throw new WrongUse(`--option ${text}: expected KEY=VALUE`);
      const field = fields.get(key);
      if (field === undefined) {
        throw new WrongUse(
          `--option ${text}: the template has no option ${key}.${didYouMean(key, [...fields.keys()])}`,
        );
      }
      return [key, typed(text, value, field)];
    }),
  );
}

function typed(text: string, value: string, field: OptionField): unknown {
  switch (field.type) {
    case "boolean":
      if (value !== "true" && value !== "false")
        throw new WrongUse(`--option ${text}: expected true or false`);
      return value === "true";
    case "int":
      if (!/^-?\d{1,9}$/.test(value)) throw new WrongUse(`--option ${text}: expected a whole number`);
      return Number(value);
    default:
      return value;
  }
}
