import { isJsonObject } from "../system/json.js";

type Json = Record<string, unknown>;

/**
 * TypeScript code that makes a JSON schema with the SDK's `Type`; schemas without a counterpart become `unknown`. Members with a
 * default are optional in an input, because the receiver fills them in.
 */
export function typeCode(schema: unknown, use: "input" | "output", indent = ""): string {
  if (!isJsonObject(schema)) return "Type.Unknown()";
  const { type, const: value, enum: values, anyOf, oneOf, allOf } = schema;
  if ("const" in schema && isPrimitive(value))
    return call("Literal", [JSON.stringify(value)], schema, ["const", "type"]);
  if (Array.isArray(values) && values.every((each) => typeof each === "string"))
    return call("Enum", [JSON.stringify(values)], schema, ["enum", "type"]);
  const forms = anyOf ?? oneOf;
  if (Array.isArray(forms))
    return call("Union", [listOf(forms, use, indent)], schema, ["anyOf", "oneOf", "discriminator"]);
  if (Array.isArray(allOf)) return call("Intersect", [listOf(allOf, use, indent)], schema, ["allOf"]);
  if (type === "array")
    return call("Array", [typeCode(schema["items"], use, indent)], schema, ["type", "items"]);
  if (type === "object") return objectCode(schema, use, indent);
  const simple = typeof type === "string" ? simpleTypes[type] : undefined;
  if (simple !== undefined) return call(simple, [], schema, ["type"]);
  if (type === undefined && !("$ref" in schema)) return call("Unknown", [], schema, []);
  return `Type.Unsafe(${JSON.stringify(schema)})`;
}

const simpleTypes: Readonly<Record<string, string>> = {
  string: "String",
  number: "Number",
  integer: "Integer",
  boolean: "Boolean",
  null: "Null",
};

function objectCode(schema: Json, use: "input" | "output", indent: string): string {
  const { properties, patternProperties, additionalProperties, required } = schema;
  const used = ["type", "properties", "required"];
  const [pattern] = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
  if (!isJsonObject(properties)) {
    const value = pattern?.[1] ?? additionalProperties;
    const key =
      pattern === undefined || pattern[0] === "^.*$"
        ? "Type.String()"
        : `Type.String({ pattern: ${JSON.stringify(pattern[0])} })`;
    return call("Record", [key, typeCode(value, use, indent)], schema, [
      ...used,
      "patternProperties",
      ...(isJsonObject(additionalProperties) ? ["additionalProperties"] : []),
    ]);
  }
  const needed = new Set(Array.isArray(required) ? required : []);
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, member]) => {
    const code = typeCode(member, use, inner);
    const isFilledIn = use === "input" && isJsonObject(member) && "default" in member;
    return `${inner}${nameCode(name)}: ${needed.has(name) && !isFilledIn ? code : `Type.Optional(${code})`},`;
  });
  const list = members.length === 0 ? "{}" : ["{", ...members, `${indent}}`].join("\n");
  return call("Object", [list], schema, used);
}

function listOf(forms: readonly unknown[], use: "input" | "output", indent: string): string {
  const inner = `${indent}  `;
  return ["[", ...forms.map((each) => `${inner}${typeCode(each, use, inner)},`), `${indent}]`].join("\n");
}

/** Keywords that the call does not express become its options. */
function call(name: string, parameters: string[], schema: Json, said: readonly string[]): string {
  const options = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !said.includes(keyword)));
  const all = Object.keys(options).length === 0 ? parameters : [...parameters, JSON.stringify(options)];
  return `Type.${name}(${all.join(", ")})`;
}

function nameCode(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== "__proto__" ? name : `[${JSON.stringify(name)}]`;
}

function isPrimitive(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
