import { isJsonObject, type JsonPath, valueAt } from "../../../system/json.js";
import { choicesOf, kindOf, membersOf, resolved, type Schema } from "../../parts/schema.js";
import { type Changes, withValue } from "../../parts/schema-form/form-state.js";
import type { ExportForm, Setting } from "./export-form.js";

/**
 * Splits stored changes into those that the plugin still accepts, and the names of others: settings that are gone, or values that
 * are no longer valid.
 */
export function usableChanges(form: ExportForm, kept: Changes): { changes: Changes; dropped: string[] } {
  const settings = form.groups.flatMap((group) => group.settings);
  // Settings are members of the body or of a member.
  const outer = new Set(settings.flatMap(({ path: [first, ...rest] }) => (rest.length > 0 ? [first] : [])));
  const paths: JsonPath[] = Object.entries(kept).flatMap(([name, value]) =>
    outer.has(name) && isJsonObject(value) ? Object.keys(value).map((inner) => [name, inner]) : [[name]],
  );
  let changes: Changes = {};
  const dropped: string[] = [];
  for (const path of paths) {
    const value = valueAt(kept, path);
    const setting = settings.find((each) => each.path.join() === path.join());
    if (setting !== undefined && fits(setting.schema, value, form.given.schema))
      changes = withValue(changes, path, value);
    else dropped.push(titleOf(setting) ?? path.at(-1) ?? "");
  }
  return { changes, dropped };
}

function titleOf(setting: Setting | undefined): string | undefined {
  const title = setting?.schema["title"];
  return typeof title === "string" ? title : undefined;
}

/** Whether a value has the type that a schema requires. The host checks limits later. */
function fits(schema: Schema, value: unknown, document: unknown): boolean {
  const choices = choicesOf(schema);
  if (choices !== undefined) return choices.includes(value);
  const { type, items, additionalProperties } = schema;
  if (type === "array")
    return (
      Array.isArray(value) &&
      (!isJsonObject(items) || value.every((each) => fits(resolved(items, document), each, document)))
    );
  if (type === "object") {
    if (!isJsonObject(value)) return false;
    const members = membersOf(schema, document) ?? [];
    return Object.entries(value).every(([name, each]) => {
      const member = members.find((one) => one.name === name);
      return member === undefined ? additionalProperties !== false : fits(member.schema, each, document);
    });
  }
  switch (kindOf(schema).kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "switch":
      return typeof value === "boolean";
    default:
      return true;
  }
}
