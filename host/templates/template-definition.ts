/**
 * Reads `template.json`: validates it against the SDK's schema, checks rules beyond the schema, and locates each
 * mistake.
 */
import { setImmediate } from "node:timers/promises";
import {
  describe,
  expectedOption,
  isWithinLimits,
  optionText,
  shownValue,
  type TemplateField,
  type TemplateFile,
} from "@slipway/sdk";
import { sdkCheck } from "@slipway/sdk/runtime/host";
import { JsonSource } from "./json-source.js";
import { fieldRules } from "./option-types.js";
import { type TemplateProblem, withExcerpt } from "./template-problem.js";

const file = "template.json";
/** Further mistakes are only counted: each costs a search in the file. */
const mostMistakes = 20;
const check = sdkCheck<typeof TemplateFile>(file, "template-file");

type Path = readonly (string | number)[];
interface Mistake {
  path: Path;
  message: string;
}

/** The definition with its defaults and the places of its values, or all its problems. */
export async function readTemplateDefinition(
  text: string,
): Promise<
  { ok: true; definition: TemplateFile; source: JsonSource } | { ok: false; problems: TemplateProblem[] }
> {
  const source = JsonSource.read(text);
  if (!(source instanceof JsonSource)) {
    const { message, line, column } = source;
    const problem = { file, line, message, ...(column !== undefined && { column }) };
    return { ok: false, problems: [withExcerpt(problem, text)] };
  }
  // A large file takes long to check: other work has a turn between the steps.
  await setImmediate();
  const result = check(source.copy());
  await setImmediate();
  const repeatedNames = source.repeatedNames();
  await setImmediate();
  const contradicting = result.ok ? contradictions(result.value) : [];
  const count = repeatedNames.length + (result.ok ? contradicting.length : result.violations.length);
  if (result.ok && count === 0) return { ok: true, definition: result.value, source };
  const mistakes = result.ok
    ? contradicting.slice(0, mostMistakes)
    : result.violations.slice(0, mostMistakes).map((violation): Mistake => {
        const dotted = violation.path.slice(file.length).replace(/^\./, "");
        const path = source.pathOf(dotted);
        return { path, message: describe({ ...violation, path: dottedPath(path) }) };
      });
  const problems = [
    ...repeatedNames.slice(0, mostMistakes).map((repeated) => {
      const message = `"${repeated.name}" is there twice`;
      return { ...source.placeOfName(repeated), message };
    }),
    ...mistakes.map(({ path, message }) => ({ ...source.placeOf(path), message })),
  ].slice(0, mostMistakes);
  const more: TemplateProblem[] =
    count > problems.length
      ? [
          {
            file,
            line: undefined,
            message: `at least ${count - problems.length} more mistakes are not shown`,
          },
        ]
      : [];
  return { ok: false, problems: [...problems.map((each) => withExcerpt({ file, ...each }, text)), ...more] };
}

function dottedPath(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}

/** Rules beyond the schema: unique keys, defaults that match their field. */
function contradictions(definition: TemplateFile): Mistake[] {
  const { key, aliases, options, page } = definition;
  const fields = options.categories.flatMap((category, index) =>
    category.fields.map((field, position) => ({
      field,
      path: ["options", "categories", index, "fields", position],
    })),
  );
  return [
    ...repeated([key, ...aliases]).map((each) => twice(["aliases"], "name", each)),
    ...repeated(options.categories.map((category) => category.key)).map((each) =>
      twice(["options", "categories"], "key", each),
    ),
    ...repeated(fields.map(({ field }) => field.key)).map((each) =>
      twice(["options", "categories"], "field", each),
    ),
    ...fields.flatMap(({ field, path }) => fieldMistakes(field, path)),
    ...(typeof page.size === "object" && page.orientation !== undefined
      ? [
          {
            path: ["page", "orientation"],
            message: "`page.orientation` has no meaning beside a size in millimetres; leave it out",
          },
        ]
      : []),
  ];
}

function fieldMistakes(field: TemplateField, path: Path): Mistake[] {
  const choices: Path = [...path, "options"];
  const mistakes: Mistake[] = repeated((field.options ?? []).map((choice) => choice.key)).map((each) =>
    twice(choices, "key", each),
  );
  if (field.type !== "string" && field.type !== "int" && field.options) {
    mistakes.push(needless(choices, field.type));
  }
  const wrongChoice =
    field.type === "int" && field.options?.find((choice) => !/^-?\d{1,15}$/.test(choice.key));
  if (wrongChoice) {
    const message = `The keys of \`${dottedPath(choices)}\` must be whole numbers, but one is "${wrongChoice.key}"`;
    mistakes.push({ path: choices, message });
  }
  return [...mistakes, ...limitMistakes(field, path), ...defaultMistakes(field, [...path, "default"])];
}

function limitMistakes(field: TemplateField, path: Path): Mistake[] {
  const { type, minimum, maximum } = field;
  const limited = { minimum: ["int", "number"], maximum: ["int", "number"], decimals: ["number"] };
  const misplaced = (["minimum", "maximum", "decimals"] as const)
    .filter((name) => field[name] !== undefined && !limited[name].includes(type))
    .map((name) => needless([...path, name], type));
  if (minimum === undefined || maximum === undefined || minimum <= maximum) return misplaced;
  return [...misplaced, unfit([...path, "maximum"], `at least the minimum ${minimum}`, maximum)];
}

function defaultMistakes(field: TemplateField, path: Path): Mistake[] {
  const value = field.default;
  if (value === undefined || value === null) return [];
  if (!isOfType(value, field)) {
    return [unfit(path, expectedValue(field), value)];
  }
  if (field.options && !field.options.some((choice) => choice.key === String(value))) {
    return [unfit(path, "the key of one of its choices", value)];
  }
  return [];
}

function unfit(path: Path, expected: string, value: unknown): Mistake {
  return { path, message: describe({ path: dottedPath(path), expected, received: shownValue(value) }) };
}

function needless(path: Path, type: TemplateField["type"]): Mistake {
  return {
    path,
    message: `\`${dottedPath(path)}\` has no meaning for a field of type "${type}"; leave it out`,
  };
}

function twice(path: Path, what: string, name: string): Mistake {
  return { path, message: `\`${dottedPath(path)}\` has the ${what} "${name}" twice` };
}

function expectedValue(field: TemplateField): string {
  if (field.type === "boolean") return "true or false";
  if (["string", "text", "image"].includes(field.type)) return "a text";
  const rules = expectedOption(fieldRules(field));
  return field.type === "int" ? rules.replace("an integer", "a whole number") : rules;
}

function isOfType(value: unknown, field: TemplateField): boolean {
  const rules = fieldRules(field);
  if (rules.format !== undefined) return optionText(rules, value) !== undefined;
  if (field.type === "int") return Number.isSafeInteger(value) && isWithinLimits(rules, Number(value));
  return typeof value === rules.type;
}

function repeated(keys: string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(keys.filter((key) => seen.size === seen.add(key).size))];
}
