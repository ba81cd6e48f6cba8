/** The form of an export, made of the description that its plugin gives of it. */
import { isJsonObject, type JsonPath, valueAt } from "../../../system/json.js";
import { routesOf } from "../../parts/routes.js";
import { membersOf, resolved, type Schema } from "../../parts/schema.js";
import { type Changes, withoutValue } from "../../parts/schema-form/changes.js";
import type { GivenValues } from "../../parts/schema-form/form-state.js";
import type { FieldGroup, FieldText } from "../words/field-words.js";
import type { ExportKind } from "./export-kinds.js";

/** A setting of an export. */
export interface Setting {
  name: string;
  path: JsonPath;
  /** With what it is called, and what it does, in the language of the page. */
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

/** A choice that the project offers, by the value that the plugin takes. */
export interface Offer {
  value: string;
  title: string;
}

/** The choices that come from the host and the project, by the names of settings. */
export type Offers = Readonly<Record<string, readonly Offer[]>>;

/** What is not left to the person. */
const unasked = new Set(["sessionId"]);

/**
 * The form of an export for a host with this OpenAPI description; undefined where it has no such plugin. `defaults` are what the
 * plugin tells of them.
 */
export function exportForm(
  kind: ExportKind,
  document: unknown,
  { defaults, offers }: { defaults: unknown; offers: Offers },
  words: { groups: readonly FieldGroup[]; other: string; usual: string },
): ExportForm | undefined {
  const body = routesOf(document).find(({ method, path }) => method === "POST" && path === kind.path)?.body;
  if (body === undefined) return undefined;
  const texts = new Map(words.groups.flatMap(({ fields }) => Object.entries(fields)));
  const known = settingsOf(body.schema, document, kind).map((setting) => ({
    ...setting,
    schema: described(setting, { document, texts, offers, usualTitle: words.usual }),
  }));
  const byName = new Map(known.map((setting) => [setting.name, setting]));
  const groups = words.groups.map(({ title, fields }) => ({
    title,
    settings: Object.keys(fields).flatMap((name) => byName.get(name) ?? []),
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

function settingsOf(body: Schema, document: unknown, kind: ExportKind): Setting[] {
  const member = kind.defaults?.member;
  return (membersOf(body, document) ?? [])
    .filter(({ name }) => !unasked.has(name))
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
  texts: ReadonlyMap<string, FieldText>;
  offers: Offers;
  /** What the absence of a choice is called. */
  usualTitle: string;
}

/** The schema of a setting with its words, and those of what is in it; what may be null is what it is else. */
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
    // A schema with limits alone would tell them instead of what the setting does.
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

/** A list of values with what they are called; undefined where they have no names. */
function titled({ enum: values }: Schema, text: FieldText | undefined): Schema | undefined {
  if (!Array.isArray(values) || text?.values === undefined) return undefined;
  const names = text.values;
  return {
    oneOf: values.map((value: unknown) => ({ const: value, title: names[String(value)] ?? String(value) })),
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

/** Values without members that are null: they count as absent. */
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

/** The value that a setting has without a choice. */
export function usualValue({ given }: ExportForm, { path, schema }: Setting): unknown {
  return valueAt(given.defaults, path) ?? schema["default"];
}

/** The changes that are not about one project. */
export function lastingChanges(kind: ExportKind, changes: Changes): Changes {
  const paths = [...kind.ofProject].flatMap((name) => [
    [name],
    ...(kind.defaults === undefined ? [] : [[kind.defaults.member, name]]),
  ]);
  return paths.reduce(withoutValue, changes);
}
