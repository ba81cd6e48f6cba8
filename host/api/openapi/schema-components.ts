import { isJsonObject } from "../../system/json.js";

/** A part of the document. */
export type Json = Record<string, unknown>;

/** The usage of a schema. */
export interface SchemaUse {
  /** In requests, members with a default are optional; in responses they are always present. */
  direction: "request" | "answer";
  /** Prefix of a plugin's schema names, so that plugins do not affect each other's names. */
  owner?: string;
  /** Distinguishes schemas of one name, such as the version of a plugin. */
  edition?: string;
  /** Name for a reused schema without a title. */
  name?: string;
}

const schemaKeywords = new Set([
  "items",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "propertyNames",
  "contains",
  "not",
  "if",
  "then",
  "else",
]);
const mapKeywords = new Set(["properties", "patternProperties", "dependentSchemas"]);
const listKeywords = new Set(["anyOf", "allOf", "oneOf", "prefixItems"]);
/** Keywords that are valid only within the original schema. */
const ownKeywords = /^(?:\$.*|definitions|~.*)$/;

const deepest = 100;
const everyName = "^.*$";

/**
 * The schemas of a document: named schemas are entries under `components`; their ids, definitions and references become
 * pointers that every OpenAPI 3.1 reader supports.
 */
export class SchemaComponents {
  private readonly schemas = new Map<string, Json>();
  /** The source of each named schema. */
  private readonly sources = new Map<string, string>();

  get all(): Json {
    return Object.fromEntries([...this.schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** The schema in place, or a reference to it. */
  place(schema: unknown, use: SchemaUse): Json {
    const { name, ...others } = use;
    if (!isJsonObject(schema)) return {};
    const own = nameOf(schema) ?? name;
    return own === undefined
      ? this.copy(schema, others, SchemaScope.none, 0)
      : this.refer(own, schema, others, SchemaScope.none, 0);
  }

  private refer(name: string, schema: Json, use: SchemaUse, scope: SchemaScope, depth: number): Json {
    const isInput = use.direction === "request" && scope.fillsIn(schema);
    const source = JSON.stringify([isInput, schema, scope.key]);
    const wanted = `${name}${isInput ? "Input" : ""}`;
    const isShared = this.sources.get(wanted) === source;
    const free = isShared ? wanted : this.freeName(`${use.owner ?? ""}${wanted}`, source, use.edition);
    if (!this.sources.has(free)) {
      this.sources.set(free, source);
      // Reserves the name, because the schema may be recursive.
      this.schemas.set(free, {});
      this.schemas.set(free, this.copy(schema, use, scope, depth));
    }
    return { $ref: `#/components/schemas/${free}` };
  }

  private freeName(name: string, source: string, edition: string | undefined): string {
    const isFree = (wanted: string): boolean => (this.sources.get(wanted) ?? source) === source;
    if (isFree(name)) return name;
    const ofEdition = edition === undefined ? name : `${name}_${edition.replaceAll(/[^A-Za-z0-9]/g, "_")}`;
    if (isFree(ofEdition)) return ofEdition;
    let count = 2;
    while (!isFree(`${ofEdition}_${count}`)) count += 1;
    return `${ofEdition}_${count}`;
  }

  private copy(schema: Json, use: SchemaUse, outer: SchemaScope, depth: number): Json {
    if (depth > deepest) return {};
    const scope = outer.within(schema);
    const inner = (value: unknown): unknown => this.nested(value, use, scope, depth + 1);
    const members = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
      if (ownKeywords.test(key)) return [];
      if (schemaKeywords.has(key)) return [[key, inner(value)]];
      if (mapKeywords.has(key)) return isJsonObject(value) ? [[key, mapped(value, inner)]] : [];
      if (listKeywords.has(key)) return Array.isArray(value) ? [[key, value.map(inner)]] : [];
      if (key === "required" && use.direction === "request") return [[key, asked(schema)]];
      return [[key, value]];
    });
    return { ...this.referred(schema, use, scope, depth), ...withoutEveryName(Object.fromEntries(members)) };
  }

  private nested(value: unknown, use: SchemaUse, scope: SchemaScope, depth: number): unknown {
    if (!isJsonObject(value)) return value;
    const name = nameOf(value);
    return name === undefined
      ? this.copy(value, use, scope, depth)
      : this.refer(name, value, use, scope, depth);
  }

  /** The target of a `$ref`; a broken reference permits any value. */
  private referred(schema: Json, use: SchemaUse, scope: SchemaScope, depth: number): Json {
    const reference = schema["$ref"];
    const found = typeof reference === "string" ? scope.find(reference) : undefined;
    if (found === undefined) return {};
    return this.refer(nameOf(found.schema) ?? found.name, found.schema, use, found.scope, depth + 1);
  }
}

/** The members that a request must have. */
export function asked(schema: Json): string[] {
  const { required, properties } = schema;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  return names.filter((name) => {
    const property = isJsonObject(properties) ? properties[name] : undefined;
    return !isJsonObject(property) || property["default"] === undefined;
  });
}

/** Its title as an identifier. */
function nameOf({ title }: Json): string | undefined {
  if (typeof title !== "string") return undefined;
  return inCapitals(title) || undefined;
}

/** "Data of a report" as "DataOfAReport". */
export function inCapitals(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("");
}

function mapped(members: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key, change(value)]));
}

/** More readers support `additionalProperties` than a pattern for every name. */
function withoutEveryName(schema: Json): Json {
  const { patternProperties, ...others } = schema;
  if (!isJsonObject(patternProperties)) return schema;
  const { [everyName]: every, ...patterns } = patternProperties;
  if (every === undefined || Object.keys(patterns).length > 0) return schema;
  return { ...others, additionalProperties: every };
}

interface Definition {
  name: string;
  schema: Json;
  scope: SchemaScope;
}

/** Resolves the references of a schema: the definitions of the enclosing schemas. */
class SchemaScope {
  static readonly none = new SchemaScope(undefined, {});

  /** Equal for equal definitions. */
  readonly key: string;

  private constructor(
    private readonly outer: SchemaScope | undefined,
    private readonly definitions: Json,
  ) {
    this.key = outer === undefined ? "" : JSON.stringify([outer.key, definitions]);
  }

  /** The scope inside a schema. */
  within(schema: Json): SchemaScope {
    const definitions = schema["$defs"] ?? schema["definitions"];
    return isJsonObject(definitions) ? new SchemaScope(this, definitions) : this;
  }

  /** By id, as in TypeBox, or by pointer; undefined for other references. */
  find(reference: string): Definition | undefined {
    const name = reference.replace(/^#\/(?:\$defs|definitions)\//, "");
    const schema = Object.hasOwn(this.definitions, name) ? this.definitions[name] : undefined;
    return isJsonObject(schema) ? { name, schema, scope: this } : this.outer?.find(reference);
  }

  /** Whether a request may omit members that the schema, or a referenced one, lists as required. */
  fillsIn(schema: unknown, known = new Set<unknown>()): boolean {
    if (typeof schema !== "object" || schema === null || known.has(schema)) return false;
    known.add(schema);
    if (Array.isArray(schema)) return schema.some((each) => this.fillsIn(each, known));
    if (!isJsonObject(schema)) return false;
    const { required, properties, $ref: reference } = schema;
    const hasDefault = (name: unknown): boolean => {
      const property = isJsonObject(properties) ? properties[String(name)] : undefined;
      return isJsonObject(property) && property["default"] !== undefined;
    };
    if (Array.isArray(required) && required.some(hasDefault)) return true;
    const scope = this.within(schema);
    const found = typeof reference === "string" ? scope.find(reference) : undefined;
    if (found?.scope.fillsIn(found.schema, known)) return true;
    return Object.values(schema).some((value) => scope.fillsIn(value, known));
  }
}
