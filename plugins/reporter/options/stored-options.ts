import type { ProjectDocument } from "@slipway/sdk";

const application = "W-BK";

/**
 * Option values that a project remembers for a template, under any of the keys that the template is known by. Web
 * clients keep them in the project's app data, application "W-BK", path `report/templateConfig/<templateKey>`, as JSON
 * with `configItemValues`, a list of key and value.
 */
export function storedOptions(
  project: ProjectDocument,
  templateKeys: readonly string[],
): [string, unknown][] {
  const entries = project.appData?.[application];
  for (const key of templateKeys) {
    const config = parsed(member(entries, `report/templateConfig/${key}`));
    const values = member(config, "configItemValues");
    if (Array.isArray(values)) return values.filter(isPair);
  }
  return [];
}

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}

function isPair(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string";
}
