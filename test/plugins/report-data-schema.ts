/** Reads a JSON Schema such as that of report data: what it describes, and what of that occurs in data. */
import { isJson, type Json } from "./reporter-client.js";

/** A member that a schema describes. */
export interface Member {
  /** Name of the part and of the member in it, such as "ReportTotals.taxes.rate". */
  name: string;
  schema: Json;
}

function definitions(schema: Json, root: string): Map<string, Json> {
  const parts = isJson(schema["$defs"]) ? schema["$defs"] : {};
  return new Map([...Object.entries(parts).filter(isPart), [root, schema]]);
}

function isPart(entry: [string, unknown]): entry is [string, Json] {
  return isJson(entry[1]);
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : isJson(value) ? [value] : [];
}

function properties(schema: Json): [string, Json][] {
  return isJson(schema["properties"]) ? Object.entries(schema["properties"]).filter(isPart) : [];
}

/** What the members of an object have to be that are named by data. */
function named(schema: Json): Json[] {
  return isJson(schema["patternProperties"]) ? Object.values(schema["patternProperties"]).filter(isJson) : [];
}

/** Objects within a schema, each by the path of the member that it is the value of. `root` names the whole. */
export function* objectsOf(schema: Json, root = "ReportData"): Generator<Member> {
  for (const [name, part] of definitions(schema, root)) yield* objectsIn(part, name);
}

function* objectsIn(schema: Json, name: string): Generator<Member> {
  if (schema["type"] === "object") yield { name, schema };
  for (const [key, member] of properties(schema)) yield* objectsIn(member, `${name}.${key}`);
  for (const inner of [...list(schema["anyOf"]), ...list(schema["items"]), ...named(schema)])
    yield* objectsIn(inner, name);
}

/** All members that a schema describes. */
export function membersOf(schema: Json, root?: string): Member[] {
  return [...objectsOf(schema, root)].flatMap(({ name, schema: object }) =>
    properties(object).map(([key, member]) => ({ name: `${name}.${key}`, schema: member })),
  );
}

/** Names of the members that say something in `data`: no null, no empty text, no empty list. */
export function occurringMembers(schema: Json, data: Json, root = "ReportData"): Set<string> {
  const parts = definitions(schema, root);
  const found = new Set<string>();
  const visit = (part: Json, name: string, value: unknown): void => {
    const reference = String(part["$ref"] ?? "").replace("#/$defs/", "");
    const target = parts.get(reference);
    if (target !== undefined) visit(target, reference, value);
    for (const branch of list(part["anyOf"])) if (fits(branch, value, parts)) visit(branch, name, value);
    for (const [key, member] of properties(part)) {
      const each = isJson(value) ? value[key] : undefined;
      if (!saysSomething(each)) continue;
      found.add(`${name}.${key}`);
      visit(member, `${name}.${key}`, each);
    }
    for (const inner of list(part["items"])) for (const each of list(value)) visit(inner, name, each);
    if (!isJson(value)) return;
    for (const inner of named(part)) for (const each of Object.values(value)) visit(inner, name, each);
  };
  visit(schema, root, data);
  return found;
}

function fits(branch: Json, value: unknown, parts: ReadonlyMap<string, Json>): boolean {
  const part = parts.get(String(branch["$ref"] ?? "").replace("#/$defs/", "")) ?? branch;
  const kind = properties(part).find(([key]) => key === "kind")?.[1]["const"];
  return kind === undefined || (isJson(value) && value["kind"] === kind);
}

function saysSomething(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0)
  );
}
