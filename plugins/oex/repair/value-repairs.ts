/** Converts values to the types of the format (OEX reference, sections 7 and 20). Lengths are in Unicode characters. */
import { charactersWithin } from "./text-lines.js";

const unwritable = /(?![\t\n\v\f\r\u0085])[\p{Cc}\p{Cs}\u{FFFE}\u{FFFF}]/u;

/** Whether a text has control characters, lone surrogates or noncharacters, which cannot be written. */
export function hasUnwritable(text: string): boolean {
  return unwritable.test(text);
}

/** A kind of code: its pattern and the repairs allowed for it. */
export interface CodeForm {
  /** Human-readable, such as "1 to 4 capitals and digits". */
  expected: string;
  pattern: RegExp;
  capitals: boolean;
  /**
   * Characters to drop, and the length to cut the rest to. Without it a value is not shortened: half of a country code
   * is another country.
   */
  shorten?: { drop: RegExp; length: number };
}

/** Codes of section 7 for values of projects and configurations. */
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
  county: { expected: "1 to 6 capitals and digits (ISO 3166-2)", pattern: /^[0-9A-Z]{1,6}$/, capitals: true },
  orderType: {
    expected: "one of SO, XO, MU, CP, SP, EO, SR",
    pattern: /^(?:SO|XO|MU|CP|SP|EO|SR)$/,
    capitals: true,
  },
  catalogId: {
    expected: "an identifier with revision such as de-2011.1",
    pattern: /^[a-z][a-z0-9_-]*\.[0-9]*$/,
    capitals: false,
  },
} as const satisfies Record<string, CodeForm>;

/** The value as a code of this form; undefined if it cannot be converted. */
export function code(value: string, form: CodeForm): string | undefined {
  if (form.pattern.test(value)) return value;
  // Composed, so that only whole characters are dropped.
  const composed = value.trim().normalize("NFC");
  const spelled = form.capitals ? composed.toUpperCase() : composed;
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
 * The first `count` parts of a one-line text, each of at most `length` characters: broken at the last possible blank,
 * else inside a word. `rest` is the remaining text.
 */
export function splitAtBlanks(
  text: string,
  length: number,
  count: number,
): { parts: string[]; rest: string } {
  const points = [...text.trim()];
  const parts: string[] = [];
  let start = 0;
  while (start < points.length && parts.length < count) {
    const end = partEnd(points, start, length);
    parts.push(points.slice(start, end).join("").trimEnd());
    start = points[end] === " " ? end + 1 : end;
  }
  return { parts, rest: points.slice(start).join("") };
}

function partEnd(points: readonly string[], start: number, length: number): number {
  if (points.length - start <= length) return points.length;
  const blank = points.slice(start, start + length + 1).lastIndexOf(" ");
  return start + (blank > 0 ? blank : charactersWithin(points, start, length));
}
