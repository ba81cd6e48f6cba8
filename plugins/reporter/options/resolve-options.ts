import {
  badRequest,
  type OptionField,
  type ProjectDocument,
  type Suppression,
  shownValue,
  type TemplateDefinition,
  type Violation,
} from "@slipway/sdk";
import { defaultValue, type OptionValue, readOptionValue } from "./option-value.js";
import { storedOptions } from "./stored-options.js";

/**
 * Values of all options of a template: its defaults, then what the project remembers, then the request. A remembered
 * value that the template does not take is reported as `template-option-ignored`; a remembered key that it does not
 * know is left out, because it belongs to another version of the template.
 * @throws {RequestError} 400 `request-bad-request` that names every unknown key and every wrong value of the request
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
  applyRequested(fields, requested.values, values);
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
      message: `The project remembers ${shownValue(value)} for the option "${field.key}"; expected ${read.expected}`,
      additionalInformation: { option: field.key, value },
    });
  }
}

function applyRequested(
  fields: ReadonlyMap<string, OptionField>,
  requested: Record<string, unknown>,
  values: Map<string, OptionValue>,
): void {
  const violations: Violation[] = [];
  for (const [key, value] of Object.entries(requested)) {
    const field = fields.get(key);
    const read = field && readOptionValue(field, value);
    if (read?.ok) values.set(key, read.value);
    else
      violations.push(
        violation(key, value, read?.expected ?? `one of ${[...fields.keys()].join(", ")} as key`),
      );
  }
  if (violations.length > 0) throw badRequest("Options that the template does not take", violations);
}

function violation(key: string, value: unknown, expected: string): Violation {
  return { path: `body.templateOptions.${key}`, expected, received: shownValue(value) };
}
