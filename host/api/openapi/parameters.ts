import { isJsonObject } from "../../system/json.js";
import { asked, type Json, type SchemaComponents, type SchemaUse } from "./schema-components.js";

const parameter = /:([A-Za-z][A-Za-z0-9_]*)/g;

/** A path in OpenAPI syntax. */
export function templatedPath(path: string): string {
  return path.replaceAll(parameter, "{$1}");
}

/** Equal for paths that differ only in parameter names, which OpenAPI treats as identical. */
export function pathShape(path: string): string {
  return path.replaceAll(parameter, ":");
}

/**
 * Parameters of a path with `:name`: strings unless the schema differs. `shown` is a path of the same shape with the
 * parameter names for the document.
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

/** Parameters of a query, from its schema. */
export function queryParameters(schema: unknown, schemas: SchemaComponents, use: SchemaUse): Json[] {
  const required = new Set(requiredOf(schema));
  return [...propertiesOf(schema)].map(([name, property]) => ({
    name,
    in: "query",
    ...(required.has(name) && { required: true }),
    ...described(property, schemas, use),
  }));
}

/** Moves the description of the schema to the parameter. */
function described(property: unknown, schemas: SchemaComponents, use: SchemaUse): Json {
  if (!isJsonObject(property)) return { schema: {} };
  const { description, ...schema } = property;
  return {
    ...(typeof description === "string" && { description }),
    schema: schemas.place(schema, use),
  };
}

/** The members of a schema, including those of its `allOf` parts. */
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
