/**
 * Settings as rows of a Markdown table, made from the schemas that check them. Uses the part itself: the published schema
 * has neither the folders of the installation nor what needs no restart.
 */
import { Configuration } from "../../host/configuration/configuration.js";
import { isLive } from "../../host/configuration/live-settings.js";
import { defaultSettings } from "../../host/configuration/resolve-configuration.js";
import { installationFolder } from "../../host/system/installation.js";

/** One row per setting: key, type, default, meaning; what needs no restart is marked. */
export function configurationRows(): string[] {
  return rows(Configuration, "", defaultSettings());
}

/** One row per member of an object's schema. `defaults` has those that the schema does not state. */
export function memberRows(schema: unknown, defaults: unknown): string[] {
  const properties = member(schema, "properties");
  if (!isObject(properties)) throw new Error("The schema is not that of an object");
  return Object.entries(properties).map(([key, inner]) =>
    row(inner, key, member(inner, "default") ?? member(defaults, key)),
  );
}

/** Name and default of each member of an object's schema, as the page of `template.json` shows them. */
export function memberDefaults(schema: unknown): [string, string][] {
  const properties = member(schema, "properties");
  const required = member(schema, "required");
  return Object.entries(isObject(properties) ? properties : {}).map(([key, inner]) => {
    const value = member(inner, "default");
    if (value !== undefined) return [key, shown(value)];
    return [key, Array.isArray(required) && required.includes(key) ? "required" : "none"];
  });
}

function rows(schema: unknown, path: string, defaults: unknown): string[] {
  const properties = member(schema, "properties");
  if (!isObject(properties)) {
    const shownRow = row(schema, path, member(schema, "default") ?? defaults);
    return [isLive(path) ? shownRow.replace(/ \|$/, " **Live.** |") : shownRow];
  }
  return Object.entries(properties).flatMap(([key, inner]) =>
    rows(inner, path === "" ? key : `${path}.${key}`, member(defaults, key)),
  );
}

function row(schema: unknown, path: string, value: unknown): string {
  const meaning = String(member(schema, "description") ?? "").replaceAll("|", "\\|");
  return `| \`${path}\` | ${typeName(schema)} | ${shown(value)} | ${meaning} |`;
}

function typeName(schema: unknown): string {
  const choices = member(schema, "enum");
  if (Array.isArray(choices)) return choices.map((each) => `\`${each}\``).join(", ");
  const variants = member(schema, "anyOf");
  if (Array.isArray(variants)) return variants.map(typeName).join(" or ");
  const type = String(member(schema, "type"));
  if (type !== "array") return type;
  const items = member(schema, "items");
  return `list of ${member(items, "enum") === undefined ? `${typeName(items)}s` : typeName(items)}`;
}

/** Folders of the installation are shown relative to it. */
function shown(value: unknown): string {
  if (value === undefined) return "";
  return `\`${JSON.stringify(value).replaceAll(JSON.stringify(`${installationFolder}/`).slice(1, -1), "")}\``;
}

function member(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
