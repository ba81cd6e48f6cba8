/** Members of a JSON schema as Markdown: a heading and a table for the document, and for each part that it is made of. */

type Node = Readonly<Record<string, unknown>>;

const rule = "| | | |\n|---|---|---|";

/** The document itself stands below a heading `name`, its parts below those of theirs. */
export function memberTables(schema: unknown, name: string): string {
  const document = node(schema);
  const parts = Object.entries(node(document["$defs"])).map(([part, described]) =>
    tables(part, node(described)),
  );
  return [tables(name, document), ...parts].join("\n\n");
}

function tables(name: string, described: Node): string {
  const heading = `### ${name}`;
  if (described["properties"] === undefined) {
    return `${heading}\n\nOne of ${list(described["anyOf"]).map(form).join(", ")}; \`kind\` says which.`;
  }
  return [heading, String(described["description"]), [rule, ...rows(described, "")].join("\n")].join("\n\n");
}

function rows(described: Node, prefix: string): string[] {
  const required = list(described["required"]);
  return Object.entries(node(described["properties"])).flatMap(([key, value]) => {
    const member = node(value);
    const name = `${prefix}${key}${required.includes(key) ? "" : "?"}`;
    const row = `| \`${name}\` | ${form(member)} | ${String(member["description"]).replaceAll("|", "\\|")} |`;
    return [row, ...innerRows(member, `${prefix}${key}`)];
  });
}

/** Of an object in place; those of objects that many interfaces have are told elsewhere and describe nothing here. */
function innerRows(member: Node, path: string): string[] {
  const isList = member["type"] === "array";
  const inner = isList ? node(member["items"]) : (list(member["anyOf"]).map(node).find(hasMembers) ?? member);
  const [first] = Object.values(node(inner["properties"])).map(node);
  if (first?.["description"] === undefined) return [];
  return rows(inner, `${path}${isList ? "[]" : ""}.`);
}

function hasMembers(described: Node): boolean {
  return described["properties"] !== undefined;
}

/** What a value looks like, in the words of the page. */
function form(value: unknown): string {
  const described = node(value);
  const { $ref, anyOf, enum: names, const: name, type, pattern, format, items } = described;
  if (typeof $ref === "string") return $ref.slice($ref.lastIndexOf("/") + 1);
  if (anyOf !== undefined) return alternatives(list(anyOf).map(form));
  if (names !== undefined) return list(names).map(quoted).join(", ");
  if (name !== undefined) return quoted(name);
  if (type === "array") return `list of ${form(items)}`;
  if (type === "string" && typeof pattern === "string" && pattern.startsWith("^-?")) return "decimal";
  if (type === "string" && typeof format === "string") return format;
  return words[String(type)] ?? String(type);
}

const words: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  boolean: "yes or no",
};

function alternatives(forms: string[]): string {
  const named = forms.filter((each) => each !== "null").join(", ");
  return forms.includes("null") ? `${named} or null` : named;
}

function quoted(value: unknown): string {
  return `\`${String(value)}\``;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function node(value: unknown): Node {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
