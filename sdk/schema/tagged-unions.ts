/**
 * Speeds up the validation of unions with branches identified by `type` or `kind`, and improves their error messages.
 */
import { isRecord } from "./record.js";
import type { TSchema } from "./schema.js";

type Json = Record<string, unknown>;

/**
 * The schema with discriminators for unions of tagged branches. Otherwise each level of a tree of items is checked once
 * per branch, which doubles the work with every level and reports errors of unrelated branches.
 */
export function withTaggedUnions(schema: TSchema): Json {
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  return isRecord(copy) ? rewritten(copy, {}) : {};
}

function rewritten(schema: Json, definitions: Json): Json {
  const known = isRecord(schema["$defs"]) ? { ...definitions, ...schema["$defs"] } : definitions;
  const inner = Object.entries(schema).map(([key, value]) => [key, rewrittenValue(value, known)] as const);
  const result: Json = Object.fromEntries(inner);
  const branches = schema["anyOf"];
  const tag = Array.isArray(branches) ? commonTag(branches, known) : undefined;
  if (tag === undefined) return result;
  const { anyOf, ...rest } = result;
  return {
    ...rest,
    type: "object",
    required: [tag.name],
    // So that an unknown tag is reported with the list of known ones.
    properties: { [tag.name]: { enum: tag.values } },
    discriminator: { propertyName: tag.name },
    oneOf: anyOf,
  };
}

function rewrittenValue(value: unknown, definitions: Json): unknown {
  if (Array.isArray(value)) return value.map((each) => rewrittenValue(each, definitions));
  return isRecord(value) ? rewritten(value, definitions) : value;
}

/** The member that identifies every branch, and its values, which must be unique. */
function commonTag(
  branches: readonly unknown[],
  definitions: Json,
): { name: string; values: string[] } | undefined {
  for (const name of ["type", "kind"]) {
    const values = branches.flatMap((branch) => tagValue(branch, name, definitions) ?? []);
    if (values.length === branches.length && new Set(values).size === values.length) return { name, values };
  }
  return undefined;
}

function tagValue(branch: unknown, tag: string, definitions: Json): string | undefined {
  const reference = isRecord(branch) ? branch["$ref"] : undefined;
  const schema = typeof reference === "string" ? definitions[reference.replace(/^#\/\$defs\//, "")] : branch;
  if (!isRecord(schema) || !isRecord(schema["properties"])) return undefined;
  const { properties, required } = schema;
  const property = properties[tag];
  const value = isRecord(property) ? property["const"] : undefined;
  const isRequired = Array.isArray(required) && required.includes(tag);
  return isRequired && typeof value === "string" && value !== "" ? value : undefined;
}
