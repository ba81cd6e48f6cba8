/**
 * Changes and omissions needed to comply with the format (OEX reference, section 20): makes the values of one owner
 * (an item, an address, the configuration) fit, and reports changes.
 */
import { isBlank, oneLine } from "./text-lines.js";
import { type CodeForm, code, hasUnwritable } from "./value-repairs.js";

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
