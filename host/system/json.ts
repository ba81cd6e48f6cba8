/** The value of a JSON text; undefined for invalid JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is a JSON object: neither null nor a list. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Names of members, from the outside in. */
export type JsonPath = readonly string[];

/** The value at a path; undefined without one. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (outer, name) => (isJsonObject(outer) && Object.hasOwn(outer, name) ? outer[name] : undefined),
    value,
  );
}

/** A path as JSON Pointer (RFC 6901). */
export function jsonPointer(path: JsonPath): string {
  return path.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
