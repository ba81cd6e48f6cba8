/**
 * Changes and omissions needed to comply with the format (OEX reference, section 20): makes the values of one owner
 * (an item, an address, the configuration) fit, and reports changes.
 */
import { charactersWithin, isBlank, oneLine } from "./text-lines.js";

/** An input value; undefined, null and blanks count as no value. */
export type GivenValue = string | null | undefined;

/**
 * Repairs the fields of one owner. Whitespace is normalised silently; all other losses are reported. A missing value is
 * reported only if the format requires one.
 */
export class FieldRepairs {
  /** `prefix` of the field names, such as "config.addresses[0]."; "" for the fields of an item. */
  constructor(
    private readonly repairs: Repairs,
    private readonly prefix = "",
  ) {}

  /** A text on one line, with at most `length` characters. */
  line(field: string, value: GivenValue, length = Number.POSITIVE_INFINITY): string | undefined {
    const given = value ?? "";
    const whole = oneLine(given, Number.POSITIVE_INFINITY);
    const fitting = whole.length <= length ? whole : oneLine(given, length);
    if (hasUnwritable(given)) this.report(field, given, "characters that XML does not allow were removed");
    if (fitting !== whole) this.report(field, given, `cut to ${length} characters`);
    return fitting === "" ? undefined : fitting;
  }

  /** A required text on one line; if it is missing, `otherwise` replaces it, with a report. */
  requiredLine(field: string, value: GivenValue, length: number, otherwise: string): string {
    const found = this.line(field, value, length);
    if (found !== undefined) return found;
    this.report(field, value ?? "", `"${otherwise}" is written, because there is no value`);
    return otherwise;
  }

  /** A code; undefined if the value cannot be converted. */
  code(field: string, value: GivenValue, form: CodeForm): string | undefined {
    const given = value ?? "";
    if (isBlank(given)) return undefined;
    const found = this.codeOf(field, given, form);
    if (found === undefined) this.report(field, given, `left out: it must be ${form.expected}`);
    return found;
  }

  /** A required code; if it is missing or cannot be repaired, `otherwise` replaces it, with a report. */
  requiredCode(field: string, value: GivenValue, form: CodeForm, otherwise: string): string {
    const given = value ?? "";
    const found = this.codeOf(field, given, form);
    if (found !== undefined) return found;
    this.report(field, given, `"${otherwise}" is written: it must be ${form.expected}`);
    return otherwise;
  }

  /** Reports a change that was made elsewhere. */
  report(field: string, value: string, change: string, scope: "WARN" | "ERROR" = "WARN"): void {
    this.repairs.report({ field: `${this.prefix}${field}`, value, change, scope });
  }

  private codeOf(field: string, value: string, form: CodeForm): string | undefined {
    const found = code(value, form);
    if (found !== undefined && found !== value.trim()) this.report(field, value, `"${found}" is written`);
    return found;
  }
}

/** Reports repairs to the client: the item (if any), the field, the value and the change. */
export interface Repairs {
  /**
   * Reports a changed or omitted value: suppressed error `oex-value-repaired`, default scope `WARN`. `field` is the
   * name in the project or the configuration, such as "config.addresses[0].postalCode" or "quantity".
   */
  report(repair: Repair): void;
  /** The same for an item, which the report names; equal repairs of several items may become one report. */
  forItem(item: { id: string; position: string }): Repairs;
}

export interface Repair {
  field: string;
  /** The original value; shortened if it is long. */
  value: string;
  /** The change, such as "cut to 35 characters" or "left out: no country code". */
  change: string;
  scope?: "WARN" | "ERROR";
}

/** Discards reports, for values that are read a second time. */
export const silentRepairs: Repairs = { report: () => undefined, forItem: () => silentRepairs };

// Converts values to the types of the format (OEX reference, sections 7 and 20). Lengths are in Unicode characters.

const unwritable = /(?![\t\n\v\f\r\u0085])[\p{Cc}\p{Cs}\u{FFFE}\u{FFFF}]/u;

/** Whether a text has control characters, lone surrogates or noncharacters, which cannot be written. */
export function hasUnwritable(text: string): boolean {
  return unwritable.test(text);
}

/** A kind of code: its pattern and the repairs allowed for it. */
interface CodeForm {
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
