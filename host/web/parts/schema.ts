/** Reads JSON schemas for forms and tables. */
import { isJsonObject } from "../../system/json.js";
import { partWords } from "./part-words.js";

/** A JSON schema, unchecked. */
export type Schema = Record<string, unknown>;

/** The kind of control for a value. `choice`: one of several values; `json`: objects, lists and unknown types. */
export type FieldKind =
  | { kind: "text" | "number" | "switch" | "json" }
  | { kind: "choice"; values: readonly unknown[]; titles: readonly string[] };

/** A member of an object, or a parameter of a path or query. */
export interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

/** Resolves a `$ref` at the top of a schema, within the same document. */
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

/** The members of an object's schema in their order; undefined without named members. */
export function membersOf(schema: Schema, document: unknown): Field[] | undefined {
  const parts = Array.isArray(schema["allOf"])
    ? schema["allOf"].map((part) => resolved(part, document))
    : [schema];
  const members = parts.flatMap(({ properties, required }) => {
    const names = Array.isArray(required) ? required : [];
    return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, member]) => {
      const schema = resolved(member, document);
      // A member with a default can be left out.
      return { name, schema, isRequired: names.includes(name) && schema["default"] === undefined };
    });
  });
  return members.length === 0 ? undefined : members;
}

/** The kind of control for a schema. */
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

/** The values that a schema enumerates; undefined for other schemas. */
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

/** The titles of enumerated values, else the values as text. */
function titlesOf({ anyOf, oneOf }: Schema, values: readonly unknown[]): string[] {
  const others: unknown = anyOf ?? oneOf;
  return values.map((value, index) => {
    const described: unknown = Array.isArray(others) ? others[index] : undefined;
    const title = isJsonObject(described) ? described["title"] : undefined;
    return typeof title === "string" ? title : String(value);
  });
}

/** Description and limits of a schema, such as "How often · whole number, 1 to 5". */
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

/** A default value as text; undefined without a default. */
export function defaultOf({ default: value }: Schema): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Characters; a longer text is cut. */
const longestText = 80;

/** A value as people read it: on or off, the title of a choice; undefined for an empty one. */
export function valueText(
  value: unknown,
  schema: Schema,
  words: { on: string; off: string },
): string | undefined {
  if (typeof value === "boolean") return value ? words.on : words.off;
  const asked = kindOf(schema);
  const place = asked.kind === "choice" ? asked.values.indexOf(value) : -1;
  if (asked.kind === "choice" && place !== -1) return asked.titles[place];
  const isEmpty = value === "" || value === null || (Array.isArray(value) && value.length === 0);
  return isEmpty ? undefined : cutText(value);
}

/** A value as JSON or plain text, cut to a line; undefined for undefined. */
export function cutText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === "string" && value !== "" ? value : JSON.stringify(value);
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}
