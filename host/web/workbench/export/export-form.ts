/** Makes the form of an export from the plugin's OpenAPI description. */
import { isJsonObject, type JsonPath, valueAt } from "../../../system/json.js";
import { routesOf } from "../../parts/routes.js";
import { membersOf, resolved, type Schema } from "../../parts/schema.js";
import { type Changes, type GivenValues, withoutValue } from "../../parts/schema-form/form-state.js";
import type { WorkbenchWords } from "../words/english.js";
import { textOf } from "../words/words.js";
import type { ExportKind, SettingName } from "./export-kinds.js";

/** A setting of an export. */
export interface Setting {
  name: string;
  path: JsonPath;
  /** With title and description in the language of the page. */
  schema: Schema;
}

/** Settings that belong together. */
export interface SettingGroup {
  title: string;
  settings: readonly Setting[];
}

export interface ExportForm {
  given: GivenValues;
  groups: readonly SettingGroup[];
}

/** A choice that comes from the host or the project. `value` is what the plugin accepts. */
export interface Offer {
  value: string;
  title: string;
}

/** Choices by the names of settings. */
export type Offers = Readonly<Record<string, readonly Offer[]>>;

/** Members of the body that the form leaves out. */
const omittedMembers = new Set(["sessionId"]);

/**
 * Makes the form of an export from the OpenAPI description of a host; undefined for a host without the plugin. `defaults` come
 * from the plugin.
 */
export function exportForm(
  kind: ExportKind,
  document: unknown,
  { defaults, offers }: { defaults: unknown; offers: Offers },
  words: { settings: WorkbenchWords["settings"]; other: string; usual: string },
): ExportForm | undefined {
  const body = routesOf(document).find(({ method, path }) => method === "POST" && path === kind.path)?.body;
  if (body === undefined) return undefined;
  const names = new Set(Object.values(kind.groups).flat());
  const texts = textsOf(names, words.settings, kind);
  const known = settingsOf(body.schema, document, kind).map((setting) => ({
    ...setting,
    schema: described(setting, { document, texts, offers, usualTitle: words.usual }),
  }));
  const byName = new Map(known.map((setting) => [setting.name, setting]));
  const groups = Object.entries(kind.groups).map(([group, members]) => ({
    title: textOf(words.settings.groups, group) ?? group,
    settings: members.flatMap((name) => byName.get(name) ?? []),
  }));
  const others = known.filter(({ name }) => !texts.has(name));
  const stated = withoutNull(defaults);
  const values = kind.defaults === undefined ? {} : { [kind.defaults.member]: stated };
  return {
    given: {
      schema: isJsonObject(document) ? document : {},
      defaults: values,
      values,
      fixed: [],
      secrets: [],
    },
    groups: [...groups, { title: words.other, settings: others }].filter(
      ({ settings }) => settings.length > 0,
    ),
  };
}

/** The texts of a setting in the language of the page. */
interface SettingText {
  title: string;
  help: string | undefined;
  /** Titles of its values, by value. */
  values: Readonly<Record<string, string>>;
}

function textsOf(
  names: ReadonlySet<SettingName>,
  { titles, workbookTitles, help, values }: WorkbenchWords["settings"],
  { isWorkbook }: ExportKind,
): Map<string, SettingText> {
  const all = isWorkbook ? { ...titles, ...workbookTitles } : titles;
  return new Map([...names].map((name) => [name, { title: all[name], help: textOf(help, name), values }]));
}

function settingsOf(body: Schema, document: unknown, kind: ExportKind): Setting[] {
  const member = kind.defaults?.member;
  return (membersOf(body, document) ?? [])
    .filter(({ name }) => !omittedMembers.has(name))
    .flatMap(({ name, schema }): Setting[] => {
      if (name !== member) return [{ name, path: [name], schema }];
      return (membersOf(schema, document) ?? []).map((inner) => ({
        name: inner.name,
        path: [name, inner.name],
        schema: inner.schema,
      }));
    });
}

interface Descriptions {
  document: unknown;
  texts: ReadonlyMap<string, SettingText>;
  offers: Offers;
  /** Title of the empty choice. */
  usualTitle: string;
}

/** The schema of a setting with texts in the language of the page, also of its members. Nullable types lose null. */
function described({ name, schema }: Pick<Setting, "name" | "schema">, given: Descriptions): Schema {
  const { document, texts, offers, usualTitle } = given;
  const { default: usual, ...plain } = withoutNullOf(resolved(schema, document), document);
  const text = texts.get(name);
  const inner = isJsonObject(plain["properties"])
    ? Object.fromEntries(
        Object.entries(plain["properties"]).map(([member, each]) => [
          member,
          described({ name: member, schema: resolved(each, document) }, given),
        ]),
      )
    : undefined;
  const isList = isJsonObject(plain["items"]);
  const offered = (offers[name] ?? []).map(({ value, title }) => ({ const: value, title }));
  const choices =
    offered.length === 0
      ? titled(isList ? resolved(plain["items"], document) : plain, text)
      : { oneOf: isList ? offered : [{ const: "", title: usualTitle }, ...offered] };
  return {
    ...plain,
    // A length limit this large means a text of several lines.
    ...(plain["type"] === "string" && Number(plain["maxLength"]) > 100_000 && { format: "multiline" }),
    ...(plain["format"] === "uuid" && { format: undefined }),
    ...(offered.length > 0 && !isList && { default: "" }),
    ...(usual !== undefined && usual !== null && { default: usual }),
    ...(inner !== undefined && { properties: inner }),
    ...(choices !== undefined &&
      (isList ? { items: choices, uniqueItems: true } : { ...choices, enum: undefined })),
    title: text?.title ?? plain["title"] ?? name,
    description: text?.help ?? (text === undefined ? plain["description"] : undefined),
  };
}

/** The titles of the values of a setting; undefined if no value has one. */
function titled({ enum: values }: Schema, text: SettingText | undefined): Schema | undefined {
  if (!Array.isArray(values) || text === undefined) return undefined;
  const titles = values.map((value: unknown) => textOf(text.values, String(value)));
  if (titles.every((title) => title === undefined)) return undefined;
  return {
    oneOf: values.map((value: unknown, index) => ({ const: value, title: titles[index] ?? String(value) })),
  };
}

function withoutNullOf(schema: Schema, document: unknown): Schema {
  const others = schema["anyOf"];
  if (!Array.isArray(others)) return schema;
  const [only, ...more] = others
    .map((each) => resolved(each, document))
    .filter(({ type }) => type !== "null");
  const { anyOf: _, ...rest } = schema;
  return only !== undefined && more.length === 0 ? { ...only, ...rest } : schema;
}

/** Removes members that are null: they count as absent. */
function withoutNull(value: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(isJsonObject(value) ? value : {}).filter(([, each]) => each !== null),
  );
}

/** All settings whose values differ from the default. */
export function changedSettings({ groups }: ExportForm, changes: Changes): Setting[] {
  return groups
    .flatMap(({ settings }) => settings)
    .filter(({ path }) => valueAt(changes, path) !== undefined);
}

/** The default value of a setting. */
export function usualValue({ given }: ExportForm, { path, schema }: Setting): unknown {
  return valueAt(given.defaults, path) ?? schema["default"];
}

/** The changes that are not specific to a project. */
export function lastingChanges(kind: ExportKind, changes: Changes): Changes {
  const paths = [...kind.ofProject].flatMap((name) => [
    [name],
    ...(kind.defaults === undefined ? [] : [[kind.defaults.member, name]]),
  ]);
  return paths.reduce(withoutValue, changes);
}
