import type { OptionField, OptionRules, TemplateField } from "@slipway/sdk";

/** The type of a field as clients get it, with the rules that they need not know: numbers, dates, long texts and addresses of pictures are texts. */
export function fieldRules(field: TemplateField): OptionRules & Pick<OptionField, "type"> {
  const { type, minimum, maximum, decimals } = field;
  const isText = type === "number" || type === "date" || type === "text" || type === "image";
  return {
    type: isText ? "string" : type,
    ...(isText && { format: type }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(decimals !== undefined && { decimals }),
  };
}
