import { isJsonObject } from "../../system/json.js";
import { asked, type Json, type SchemaComponents, type SchemaUse } from "./schema-components.js";

const parameter = /:([A-Za-z][A-Za-z0-9_]*)/g;

/** A path as OpenAPI writes it. */
export function templatedPath(path: string): string {
  return path.replaceAll(parameter, "{$1}");
}

/** Equal for paths that differ in the names of their parameters alone, which OpenAPI takes for the same. */
export function pathShape(path: string): string {
  return path.replaceAll(parameter, ":");
}

/**
 * Parameters of a path that is written with `:name`: each a text unless the schema says otherwise. `shown` has the names
 * under which they are told, where another path of the same shape has others.
 */
export function pathParameters(
  { path, params, shown = path }: { path: string; params: unknown; shown?: string },
  schemas: SchemaComponents,
  use: SchemaUse,
): Json[] {
  const properties = propertiesOf(params);
  const names = [...shown.matchAll(parameter)].map(([, name]) => name);
  return [...path.matchAll(parameter)].map(([, name = ""], index) => ({
    name: names[index] ?? name,
    in: "path",
    required: true,
    ...described(properties.get(name) ?? { type: "string" }, schemas, use),
  }));
}

/** Parameters of a query, as far as its schema names them. */
export function queryParameters(schema: unknown, schemas: SchemaComponents, use: SchemaUse): Json[] {
  const required = new Set(requiredOf(schema));
  return [...propertiesOf(schema)].map(([name, property]) => ({
    name,
    in: "query",
    ...(required.has(name) && { required: true }),
    ...described(property, schemas, use),
  }));
}

/** Its description belongs to the parameter. */
function described(property: unknown, schemas: SchemaComponents, use: SchemaUse): Json {
  if (!isJsonObject(property)) return { schema: {} };
  const { description, ...schema } = property;
  return {
    ...(typeof description === "string" && { description }),
    schema: schemas.place(schema, use),
  };
}

/** The members that a schema names, itself or in the parts that it is made of. */
export function propertiesOf(schema: unknown): Map<string, unknown> {
  const properties = partsOf(schema).map((part) => part["properties"]);
  return new Map(properties.filter((each) => isJsonObject(each)).flatMap((each) => Object.entries(each)));
}

function requiredOf(schema: unknown): string[] {
  return partsOf(schema).flatMap(asked);
}

function partsOf(schema: unknown): Json[] {
  if (!isJsonObject(schema)) return [];
  const { allOf } = schema;
  return [schema, ...(Array.isArray(allOf) ? allOf.filter(isJsonObject) : [])];
}
