import { kindOf, type Schema } from "../schema.js";

/** Initial value of a new item or entry: its default, or an empty value of its type. */
export function startValue(schema: Schema): unknown {
  if (schema["default"] !== undefined) return structuredClone(schema["default"]);
  const asked = kindOf(schema);
  switch (asked.kind) {
    case "choice":
      return asked.values[0];
    case "switch":
      return false;
    case "number":
      return typeof schema["minimum"] === "number" ? schema["minimum"] : 0;
    case "text":
      return "";
    default:
      return schema["type"] === "array" ? [] : {};
  }
}
