/** What forms and tables need to know of a JSON schema. */
import { isJsonObject } from "../../system/json.js";
import { partWords } from "./part-words.js";

/** A JSON schema, of which nothing is taken for granted. */
export type Schema = Record<string, unknown>;

/** How a value is asked for. `choice`: one of some values; `json`: everything that has members, or that nobody can foresee. */
export type FieldKind =
  | { kind: "text" | "number" | "switch" | "json" }
  | { kind: "choice"; values: readonly unknown[]; titles: readonly string[] };

/** A member of an object, or a parameter of a path or query. */
export interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

/** A schema without a reference at its top; references lead to places in the same document. */
export function resolved(schema: unknown, document: unknown): Schema {
  let found = schema;
  for (let steps = 0; steps < 20 && isJsonObject(found) && typeof found["$ref"] === "string"; steps++)
    found = atPointer(found["$ref"], document);
  return isJsonObject(found) ? found : {};
}

function atPointer(reference: string, document: unknown): unknown {
  const names = reference.replace(/^#\//, "").split("/");
  return names
    .map((name) => decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), document);
}

/** The members of an object's schema in their order; undefined where it is none of an object with named members. */
export function membersOf(schema: Schema, document: unknown): Field[] | undefined {
  const parts = Array.isArray(schema["allOf"])
    ? schema["allOf"].map((part) => resolved(part, document))
    : [schema];
  const members = parts.flatMap(({ properties, required }) => {
    const names = Array.isArray(required) ? required : [];
    return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, member]) => {
      const schema = resolved(member, document);
      // Who leaves out a member with a default gets that.
      return { name, schema, isRequired: names.includes(name) && schema["default"] === undefined };
    });
  });
  return members.length === 0 ? undefined : members;
}

/** How to ask for a value of a schema. */
export function kindOf(schema: Schema): FieldKind {
  const values = choicesOf(schema);
  if (values !== undefined) return { kind: "choice", values, titles: titlesOf(schema, values) };
  const type = Array.isArray(schema["type"])
    ? schema["type"].find((each) => each !== "null")
    : schema["type"];
  switch (type) {
    case "string":
      return { kind: "text" };
    case "integer":
    case "number":
      return { kind: "number" };
    case "boolean":
      return { kind: "switch" };
    default:
      return { kind: "json" };
  }
}

/** The values that a schema lists; undefined where it lists none. */
export function choicesOf(schema: Schema): unknown[] | undefined {
  if (Array.isArray(schema["enum"])) return schema["enum"];
  if ("const" in schema) return [schema["const"]];
  const others = schema["anyOf"] ?? schema["oneOf"];
  if (!Array.isArray(others)) return undefined;
  const constants = others.map((each) =>
    isJsonObject(each) && "const" in each ? [each["const"]] : undefined,
  );
  const known = constants.filter((each) => each !== undefined);
  return known.length === others.length ? known.flat() : undefined;
}

/** What the values that a schema lists are called: by their own titles, else as they are. */
function titlesOf({ anyOf, oneOf }: Schema, values: readonly unknown[]): string[] {
  const others: unknown = anyOf ?? oneOf;
  return values.map((value, index) => {
    const described: unknown = Array.isArray(others) ? others[index] : undefined;
    const title = isJsonObject(described) ? described["title"] : undefined;
    return typeof title === "string" ? title : String(value);
  });
}

/** What a schema says of itself, such as "How often. A whole number, 1 to 5." */
export function hintOf(schema: Schema, words = partWords.english.form): string {
  const { description, type, minimum, maximum, format } = schema;
  const range =
    minimum === undefined && maximum === undefined
      ? ""
      : maximum === undefined
        ? words.atLeast(String(minimum))
        : minimum === undefined
          ? words.atMost(String(maximum))
          : words.between(String(minimum), String(maximum));
  const kind = type === "integer" ? words.whole : typeof format === "string" ? format : "";
  const rule = [kind, range].filter((each) => each !== "").join(", ");
  return [typeof description === "string" ? description : "", rule].filter((each) => each !== "").join(" · ");
}

/** A default in the words of the field; undefined where there is none. */
export function defaultOf({ default: value }: Schema): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
