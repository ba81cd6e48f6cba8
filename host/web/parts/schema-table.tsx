import { isJsonObject } from "../../system/json.js";
import { choicesOf, defaultOf, type Field, hintOf, membersOf, resolved, type Schema } from "./schema.js";
import { Table } from "./table.js";

/** Limits the depth, because schemas can be recursive. */
const deepest = 6;
const mostMembers = 300;
const mostChoices = 20;

/** A JSON schema as a table: a row for each member; nested members have paths such as "lines[].price". */
export function SchemaTable({ schema, caption }: { schema: Schema; caption: string }) {
  const rows = rowsOf(schema, { path: "", schema, isRequired: true, level: 0 });
  const shown = rows.slice(0, mostMembers);
  return (
    <>
      <Table
        caption={caption}
        rows={shown}
        keyOf={({ path }) => path}
        columns={[
          {
            title: "Member",
            kind: "main",
            cell: ({ path }) => (path === "" ? "the value itself" : <code class="any-break">{path}</code>),
          },
          { title: "Type", cell: ({ schema: own }) => typeText(own, schema) },
          { title: "Required or default", cell: needOf },
          { title: "Description", cell: ({ schema: { type: _shown, ...own } }) => hintOf(own) },
        ]}
      />
      {rows.length > shown.length && <p class="quiet">and {rows.length - shown.length} more members</p>}
    </>
  );
}

interface Row {
  /** Empty for the schema itself. */
  path: string;
  schema: Schema;
  isRequired: boolean;
  level: number;
}

/** The rows of a schema and its members. References are resolved in `document`. */
function rowsOf(document: Schema, row: Row): Row[] {
  const { path, level } = row;
  const [inner, marks] = elementOf(row.schema, document);
  const members = level < deepest ? membersOf(inner, document) : undefined;
  const own = path === "" && members !== undefined && marks === "" ? [] : [row];
  const below = (members ?? []).flatMap(({ name, schema, isRequired }: Field) => {
    const place = `${path}${marks}`;
    const member = place === "" ? name : `${place}.${name}`;
    return rowsOf(document, { path: member, schema, isRequired, level: level + 1 });
  });
  return [...own, ...below];
}

/** The innermost element of nested lists, with a "[]" for each level. */
function elementOf(schema: Schema, document: Schema): [element: Schema, marks: string] {
  let [element, marks] = [schema, ""];
  while (isJsonObject(element["items"]) && marks.length < 2 * deepest)
    [element, marks] = [resolved(element["items"], document), `${marks}[]`];
  return [element, marks];
}

function needOf({ schema, isRequired, path }: Row): string {
  const usual = defaultOf(schema);
  if (usual !== undefined) return `default ${usual}`;
  return path === "" ? "" : isRequired ? "required" : "optional";
}

/** Such as "string", "list of integer", `"calm" or "loud"`. */
function typeText(schema: Schema, document: Schema, level = 0): string {
  const choices = choicesOf(schema);
  if (choices !== undefined) {
    const texts = choices.slice(0, mostChoices).map((each) => JSON.stringify(each));
    return [...texts, ...(choices.length > mostChoices ? ["…"] : [])].join(" or ");
  }
  const others = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(others) && level < deepest)
    return [...new Set(others.map((each) => typeText(resolved(each, document), document, level + 1)))].join(
      " or ",
    );
  const { type, items, additionalProperties, patternProperties } = schema;
  if (type === "array")
    return isJsonObject(items) && level < deepest
      ? `list of ${typeText(resolved(items, document), document, level + 1)}`
      : "list";
  const entries = isJsonObject(patternProperties)
    ? Object.values(patternProperties)[0]
    : additionalProperties;
  if (isJsonObject(entries) && schema["properties"] === undefined && level < deepest)
    return `object of ${typeText(resolved(entries, document), document, level + 1)}`;
  if (Array.isArray(type)) return type.join(" or ");
  return typeof type === "string" ? type : membersOf(schema, document) === undefined ? "any" : "object";
}
