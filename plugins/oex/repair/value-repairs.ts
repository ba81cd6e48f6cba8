/** Makes values fit the types of the format (OEX reference, sections 7 and 20). Lengths count Unicode characters. */

/** At most `length` characters; never cut inside one, and without blanks at the new end. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = [...text.slice(0, 2 * length + 1)];
  return characters.length <= length ? text : characters.slice(0, length).join("").trimEnd();
}

// Controls except those that separate words; they, the noncharacters and lone surrogates cannot stand in XML 1.0.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to drop
const forbidden = /[\u0000-\u0008\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFFFE\uFFFF]|\p{Cs}/gu;
const separators = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** Without characters that XML forbids, and without other control characters. */
export function withoutForbidden(text: string): string {
  return text.replace(forbidden, "");
}

/** On one line: line ends and tabulators become a blank; without blanks around it. */
export function onOneLine(text: string): string {
  return text.replace(separators, " ").trim();
}

/** A kind of code: its pattern, and what may be done to a value so that it fits. */
export interface CodeForm {
  /** For people, such as "1 to 4 capitals and digits". */
  expected: string;
  pattern: RegExp;
  capitals: boolean;
  /**
   * Characters that are dropped, and the length that the rest is cut to. Without it a value is not changed further: half
   * of a country code is another country.
   */
  shorten?: { drop: RegExp; length: number };
}

/** The codes of section 7 that values of a project or of a configuration become. */
export const codeForms = {
  /** Manufacturer and series. */
  vendor: {
    expected: "1 to 4 capitals and digits",
    pattern: /^[0-9A-Z]{1,4}$/,
    capitals: true,
    shorten: { drop: /[^0-9A-Z]/g, length: 4 },
  },
  postalCode: {
    expected: "1 to 10 capitals and digits, with blanks and hyphens between them",
    pattern: /^[0-9A-Z](?:[0-9A-Z -]{0,8}[0-9A-Z])?$/,
    capitals: true,
    shorten: { drop: /[^0-9A-Z -]/g, length: 10 },
  },
  country: { expected: "2 capitals (ISO 3166-1)", pattern: /^[A-Z]{2}$/, capitals: true },
  county: { expected: "1 to 6 characters (ISO 3166-2)", pattern: /^\S.{0,5}$/u, capitals: true },
  currency: { expected: "3 capitals (ISO 4217)", pattern: /^[A-Z]{3}$/, capitals: true },
  unit: {
    expected: "1 to 3 capitals and digits (UN/ECE Recommendation 20)",
    pattern: /^[0-9A-Z]{1,3}$/,
    capitals: true,
  },
  catalogId: {
    expected: 'identifier and revision such as "de-2011.1"',
    pattern: /^[a-z][a-z0-9_-]*\.[0-9]*$/,
    capitals: false,
  },
} as const satisfies Record<string, CodeForm>;

/** The value as a code of this form; undefined where nothing of it fits. */
export function code(value: string, form: CodeForm): string | undefined {
  if (form.pattern.test(value)) return value;
  const spelled = form.capitals ? value.trim().toUpperCase() : value.trim();
  const rest = form.shorten === undefined ? spelled : shortened(spelled, form.shorten);
  return form.pattern.test(rest) ? rest : undefined;
}

function shortened(value: string, { drop, length }: { drop: RegExp; length: number }): string {
  return stripped(stripped(value.replace(drop, "")).slice(0, length));
}

/** Without blanks and hyphens at both ends. */
function stripped(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && " -".includes(value.charAt(start))) start += 1;
  while (end > start && " -".includes(value.charAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

/**
 * Splits a text of one line into parts of at most `length` characters, the first at most `parts` of them: at the last
 * blank that leaves a part within the length, else inside the word. `rest` is what found no place.
 */
export function splitAtBlanks(
  text: string,
  length: number,
  parts: number,
): { parts: string[]; rest: string } {
  const found: string[] = [];
  let characters = [...text.trim()];
  while (characters.length > 0 && found.length < parts) {
    const end = partEnd(characters, length);
    found.push(characters.slice(0, end).join("").trimEnd());
    characters = [...characters.slice(end).join("").trimStart()];
  }
  return { parts: found, rest: characters.join("") };
}

function partEnd(characters: readonly string[], length: number): number {
  if (characters.length <= length) return characters.length;
  const blank = characters.lastIndexOf(" ", length);
  return blank > 0 ? blank : length;
}
