/** Values of one owner (an item, an address, the configuration), made to fit and reported where that changes them. */
import type { Repairs } from "./repairs.js";
import { type CodeForm, code, cut, onOneLine, withoutForbidden } from "./value-repairs.js";

/**
 * Repairs the members of one thing. Whitespace is tidied silently; everything else that a value loses is reported.
 * What is undefined, null or blank is no value, and no report.
 */
export class FieldRepairs {
  /** `prefix` stands before the names of the fields, such as "config.addresses[0]."; "" for the fields of an item. */
  constructor(
    private readonly repairs: Repairs,
    private readonly prefix = "",
  ) {}

  /** A text on one line, of at most `length` characters where that is limited. */
  line(
    field: string,
    value: string | null | undefined,
    length = Number.POSITIVE_INFINITY,
  ): string | undefined {
    const given = onOneLine(value ?? "");
    if (given === "") return undefined;
    const allowed = onOneLine(withoutForbidden(given));
    const fitting = cut(allowed, length);
    if (fitting === "") {
      this.report(field, given, "left out: it has control characters only");
      return undefined;
    }
    if (allowed !== given) this.report(field, given, "control characters were removed");
    if (fitting !== allowed) this.report(field, allowed, `cut to ${length} characters`);
    return fitting;
  }

  /** A text on one line that the format demands: `otherwise` stands for it where there is none, with a report. */
  requiredLine(field: string, value: string | null | undefined, length: number, otherwise: string): string {
    const found = this.line(field, value, length);
    if (found !== undefined) return found;
    this.report(field, value ?? "", `"${otherwise}" is written: there is no value`);
    return otherwise;
  }

  /** A code, or undefined where the value cannot be made one. */
  code(field: string, value: string | null | undefined, form: CodeForm): string | undefined {
    const found = this.codeOf(field, value, form);
    if (found === undefined && !isBlank(value)) {
      this.report(field, value ?? "", `left out: expected ${form.expected}`);
    }
    return found;
  }

  /** A code that the format demands: `otherwise` stands for one that is missing or cannot be repaired, with a report. */
  requiredCode(field: string, value: string | null | undefined, form: CodeForm, otherwise: string): string {
    const found = this.codeOf(field, value, form);
    if (found !== undefined) return found;
    this.report(field, value ?? "", `"${otherwise}" is written: expected ${form.expected}`);
    return otherwise;
  }

  /** Reports a change that was made elsewhere. */
  report(field: string, value: string, change: string, scope: "WARN" | "ERROR" = "WARN"): void {
    this.repairs.report({ field: `${this.prefix}${field}`, value, change, scope });
  }

  private codeOf(field: string, value: string | null | undefined, form: CodeForm): string | undefined {
    if (value === null || value === undefined || isBlank(value)) return undefined;
    const found = code(value, form);
    if (found !== undefined && found !== value.trim()) this.report(field, value, `"${found}" is written`);
    return found;
  }
}

function isBlank(value: string | null | undefined): boolean {
  return (value ?? "").trim() === "";
}
