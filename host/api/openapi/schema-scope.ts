import { isJsonObject } from "../../system/json.js";

type Json = Record<string, unknown>;

interface Definition {
  name: string;
  schema: Json;
  scope: SchemaScope;
}

/** Resolves the references of a schema: the definitions of the enclosing schemas. */
export class SchemaScope {
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
