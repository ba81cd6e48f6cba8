/** What is wrong with a value, and the words for it. Apart from the validator, so that a program can speak without it. */
import { shortened } from "./text.js";

/** One error in a value: path, expectation and received value. */
export interface Violation {
  /** For example "body.pageBreaks[0].value". */
  path: string;
  /** In words, such as "an integer" or "no such field". */
  expected: string;
  /** The value as JSON, shortened. */
  received: string;
}

/** Precedes the message of Ajv. */
export const rule = "a value that must ";
/** What `expected` begins with for an unknown field. */
export const noSuchField = "no such field";
/** What is expected where any value will do. */
export const aValue = "a value";
/** What is received where there is no value. */
export const nothing = "nothing";

/**
 * One violation as a clause without a full stop, such as "`body.items[0]` must be a string, but is 5". The field is
 * "it" where `path` is empty, because the place of the mistake precedes the clause. Without `received`, it has no value.
 */
export function describe({
  path,
  expected,
  received,
}: Partial<Violation> & Pick<Violation, "path" | "expected">): string {
  const field = path === "" ? "it" : `\`${path}\``;
  if (expected.startsWith(noSuchField))
    return `${field} is not a known field${expected.slice(noSuchField.length)}`;
  const isMissing = received === nothing;
  if (expected === aValue)
    return `${field} ${isMissing ? "is missing" : `must have a value, but is ${received}`}`;
  const must = expected.startsWith(rule) ? inWords(expected.slice(rule.length)) : `be ${expected}`;
  const found = received === undefined ? "" : `, but is ${isMissing ? "missing" : received}`;
  return `${field} must ${must}${found}`;
}

const signs = new Map([
  [">=", "at least"],
  ["<=", "at most"],
  [">", "more than"],
  ["<", "less than"],
]);

/** For example "be >= 1" as "be at least 1". */
function inWords(must: string): string {
  const words = must.split(" ");
  const [first = "", sign = "", ...others] = words;
  if (first === "NOT") return ["not", sign, ...others].join(" ");
  return [first, signs.get(sign) ?? sign, ...others].join(" ").trim();
}

const longestValue = 80;

/**
 * The received value for a violation: JSON of at most 80 characters, without the credentials of links, never cut inside
 * a character.
 */
export function shownValue(value: unknown): string {
  const json = (JSON.stringify(value) ?? nothing).replace(/:\/\/[^/?#\s"]*@/g, "://…@");
  return shortened(json, longestValue);
}
