/** The file `template.json`: what a template says of itself. */
import { describe, type Static, shownValue, Type, Validator } from "@slipway/sdk";

const closed = { additionalProperties: false };

/** One text per language: `{ "en": "Quote", "de": "Angebot" }`. */
export const LocalizedText = Type.Record(
  Type.String({ pattern: "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$" }),
  Type.String({ maxLength: 2000 }),
  { ...closed, minProperties: 1 },
);
export type LocalizedText = Static<typeof LocalizedText>;

const Key = Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$" });

const Choice = Type.Object({ key: Type.String({ maxLength: 200 }), label: LocalizedText }, closed);

const Field = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 200 }),
    label: LocalizedText,
    type: Type.Enum(["string", "boolean", "int"]),
    default: Type.Optional(Type.Unknown()),
    options: Type.Optional(Type.Array(Choice, { minItems: 1, maxItems: 1000 })),
  },
  closed,
);
type Field = Static<typeof Field>;

const Category = Type.Object(
  { key: Type.String({ minLength: 1, maxLength: 200 }), label: LocalizedText, fields: Type.Array(Field) },
  closed,
);

export const TemplateFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    key: Key,
    aliases: Type.Array(Key, { default: [], maxItems: 50 }),
    name: LocalizedText,
    description: Type.Record(Type.String(), Type.String({ maxLength: 2000 }), { default: {} }),
    category: Type.Object({ key: Type.String(), name: LocalizedText }, { ...closed }),
    version: Type.String({ minLength: 1, maxLength: 50 }),
    sortWeight: Type.Integer({ default: 0 }),
    pageBreaksDisabled: Type.Boolean({ default: false }),
    accessibility: Type.Boolean({ default: false, description: "Tagged PDF." }),
    scripts: Type.Boolean({ default: false, description: "Runs scripts of the document." }),
    calculationLines: Type.Boolean({
      default: false,
      description:
        "Gives each article all lines of its price sheet. Few templates read them, and they are most of the data of a report.",
    }),
    allowUnsafeVelocityAccess: Type.Boolean({
      default: false,
      description: "Runs without the strict access check, where the host's configuration permits it.",
    }),
    views: Type.Array(Type.Unknown(), { default: [] }),
    properties: Type.Array(Type.Unknown(), { default: [] }),
    attachments: Type.Record(Type.String(), Type.Unknown(), { default: {} }),
    options: Type.Object({ categories: Type.Array(Category, { default: [] }) }, { ...closed, default: {} }),
  },
  closed,
);
export type TemplateFile = Static<typeof TemplateFile>;

const check = new Validator().compile(TemplateFile, "template.json");

/** The definition with its defaults, or everything that is wrong with it. */
export function readTemplateDefinition(
  text: string,
): { ok: true; definition: TemplateFile } | { ok: false; problems: string[] } {
  const parsed = parse(text);
  if ("problem" in parsed) return { ok: false, problems: [parsed.problem] };
  const result = check(parsed.value);
  if (!result.ok) return { ok: false, problems: result.violations.map(describe) };
  const problems = contradictions(result.value);
  return problems.length === 0 ? { ok: true, definition: result.value } : { ok: false, problems };
}

function parse(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: `template.json: ${error instanceof Error ? error.message : "not valid JSON"}` };
  }
}

/** What the schema cannot say: keys that occur twice, defaults that do not fit their field. */
function contradictions(definition: TemplateFile): string[] {
  const { key, aliases, options } = definition;
  const fields = options.categories.flatMap((category, index) =>
    category.fields.map((field, position) => ({
      field,
      path: `template.json.options.categories[${index}].fields[${position}]`,
    })),
  );
  return [
    ...repeated([key, ...aliases]).map((each) => `template.json.aliases: "${each}" is there twice`),
    ...repeated(options.categories.map((category) => category.key)).map(
      (each) => `template.json.options.categories: the key "${each}" is there twice`,
    ),
    ...repeated(fields.map(({ field }) => field.key)).map(
      (each) => `template.json.options.categories: the field "${each}" is there twice`,
    ),
    ...fields.flatMap(({ field, path }) => fieldProblems(field, path)),
  ];
}

function fieldProblems(field: Field, path: string): string[] {
  const problems = repeated((field.options ?? []).map((choice) => choice.key)).map(
    (each) => `${path}.options: the key "${each}" is there twice`,
  );
  if (field.type === "boolean" && field.options) {
    problems.push(`${path}.options: expected no choices for a field of type "boolean"`);
  }
  const wrongChoice =
    field.type === "int" && field.options?.find((choice) => !/^-?\d{1,15}$/.test(choice.key));
  if (wrongChoice) {
    problems.push(`${path}.options: expected whole numbers as keys, received "${wrongChoice.key}"`);
  }
  const value = field.default;
  if (value === undefined || value === null) return problems;
  if (!isOfType(value, field.type)) {
    const expected = { string: "a text", boolean: "true or false", int: "a whole number" }[field.type];
    return [...problems, `${path}.default: expected ${expected}, received ${shownValue(value)}`];
  }
  if (field.options && !field.options.some((choice) => choice.key === String(value))) {
    problems.push(`${path}.default: expected the key of one of its choices, received ${shownValue(value)}`);
  }
  return problems;
}

function isOfType(value: unknown, type: Field["type"]): boolean {
  if (type === "int") return Number.isSafeInteger(value);
  return typeof value === type;
}

function repeated(keys: string[]): string[] {
  return [...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))];
}
