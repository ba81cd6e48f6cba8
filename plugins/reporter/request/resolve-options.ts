import {
  badRequest,
  expectedOption,
  isWithinLimits,
  type OptionField,
  optionText,
  type ProjectDocument,
  type Suppression,
  shownValue,
  similarName,
  suppressEach,
  type TemplateDefinition,
  type Violation,
} from "@slipway/sdk";

/** An option value in template data. */
type OptionValue = string | number | boolean | null;

type ReadOption = { ok: true; value: OptionValue } | { ok: false; expected: string };

const application = "W-BK";

/**
 * Values of all options of a template: its defaults, overridden by the project's stored values, then by the request. A
 * stored value that the template does not accept is reported as `template-option-ignored`; unknown stored keys are
 * skipped, because they belong to another version of the template. Unknown keys of the request are reported as
 * `template-option-unknown`, because clients send the options of one template with another.
 * @throws {RequestError} 400 `request-bad-request` that names every invalid value of the request
 */
export function resolveOptions(
  template: TemplateDefinition,
  requested: { key: string; values: Record<string, unknown> },
  project: ProjectDocument,
  suppress: (suppression: Suppression) => void,
): Record<string, OptionValue> {
  const fields = new Map(
    template.options.categories.flatMap((category) => category.fields).map((field) => [field.key, field]),
  );
  const values = new Map<string, OptionValue>();
  for (const field of fields.values()) values.set(field.key, defaultValue(field));
  const remembered = storedOptions(project, [requested.key, template.record.key, ...template.aliases]);
  for (const [key, value] of remembered) applyRemembered(fields.get(key), value, values, suppress);
  applyRequested(fields, requested.values, values, suppress);
  return Object.fromEntries(values);
}

function applyRemembered(
  field: OptionField | undefined,
  value: unknown,
  values: Map<string, OptionValue>,
  suppress: (suppression: Suppression) => void,
): void {
  if (field === undefined) return;
  const read = readOptionValue(field, value);
  if (read.ok) values.set(field.key, read.value);
  else {
    suppress({
      id: "template-option-ignored",
      scope: "WARN",
      message: `The project has ${shownValue(value)} for the option "${field.key}", which must be ${read.expected}; the default is used. Choose the value again.`,
      additionalInformation: { option: field.key, value },
    });
  }
}

function applyRequested(
  fields: ReadonlyMap<string, OptionField>,
  requested: Record<string, unknown>,
  values: Map<string, OptionValue>,
  suppress: (suppression: Suppression) => void,
): void {
  const violations: Violation[] = [];
  const unknown: string[] = [];
  for (const [key, value] of Object.entries(requested)) {
    const field = fields.get(key);
    if (field === undefined) {
      unknown.push(key);
      continue;
    }
    const read = readOptionValue(field, value);
    if (read.ok) values.set(key, read.value);
    else
      violations.push({
        path: `body.templateOptions.${key}`,
        expected: read.expected,
        received: shownValue(value),
      });
  }
  if (violations.length > 0) throw badRequest("The options do not fit the template", violations);
  const known = [...fields.keys()];
  suppressEach(unknown, (key) => unknownOption(key, known), suppress);
}

const mostShown = 50;

function unknownOption(key: string, known: readonly string[]): Suppression {
  const similar = similarName(key, known);
  const listed = `${known.slice(0, mostShown).join(", ")}${known.length > mostShown ? ", …" : ""}`;
  const help =
    similar !== undefined
      ? `Did you mean "${similar}"?`
      : `It has ${listed === "" ? "no options" : `these: ${listed}`}.`;
  return {
    id: "template-option-unknown",
    scope: "WARN",
    message: `The template has no option ${shownValue(key)} of \`templateOptions\`. ${help}`,
    additionalInformation: { option: key },
  };
}

/**
 * Option values stored in a project for a template, under any of the template's keys. Web clients store them in the
 * project's app data, application "W-BK", path `report/templateConfig/<templateKey>`, as JSON with `configItemValues`,
 * a list of key and value.
 */
function storedOptions(project: ProjectDocument, templateKeys: readonly string[]): [string, unknown][] {
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

/**
 * Reads a value for an option. Clients store and send values of choice lists as texts, so `"20"` is accepted as 20,
 * `"true"` as true, and 20 as "20" if the choices are texts. `null` means the template's default.
 */
function readOptionValue(field: OptionField, value: unknown): ReadOption {
  if (value === null) return { ok: true, value: defaultValue(field) };
  const typed = typedValue(field, value);
  if (typed === undefined) return { ok: false, expected: expectation(field) };
  const choices = field.options ?? [];
  const chosen = choices.length === 0 || choices.some((choice) => choice.key === String(typed));
  return chosen ? { ok: true, value: typed } : { ok: false, expected: expectation(field) };
}

/** The value of an unset option; null if the template has no default. */
function defaultValue(field: OptionField): OptionValue {
  return field.default === undefined || field.default === null
    ? null
    : (typedValue(field, field.default) ?? field.default);
}

function typedValue(field: OptionField, value: unknown): OptionValue | undefined {
  switch (field.type) {
    case "boolean":
      return booleanValue(value);
    case "int":
      return integerValue(field, value);
    case "string":
      if (field.format !== undefined) return optionText(field, value);
      if (typeof value === "number" && field.options !== undefined) return String(value);
      return typeof value === "string" ? value : undefined;
  }
}

function booleanValue(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  return value === "true" ? true : value === "false" ? false : undefined;
}

function integerValue(field: OptionField, value: unknown): number | undefined {
  const number = typeof value === "string" && /^\s*-?\d{1,9}\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number)) return undefined;
  return isWithinLimits(field, number) ? number : undefined;
}

function expectation(field: OptionField): string {
  const choices = (field.options ?? []).map((choice) => JSON.stringify(choice.key)).join(", ");
  return choices === "" ? expectedOption(field) : `one of ${choices}`;
}
