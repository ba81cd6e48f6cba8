/** Rules of dates (OEX reference, sections 6.2 and 7.1). */
import type { DocumentElement } from "./document-element.js";
import type { Report } from "./document-problem.js";

/** Checks one `hdrDateTime` or `itmDateTime` of `part`, the header or an item. */
export function checkDate(frame: DocumentElement, part: DocumentElement, report: Report): void {
  const date = frame.child("vDateValue");
  if (date === undefined) return;
  const { aDateFormat, aDateCalcBase, aDateCalcMode } = date.attributes;
  const expected = aDateFormat === undefined ? undefined : expectedDate(aDateFormat, date.text);
  if (expected !== undefined) report("date", date, `vDateValue is ${date.text}, expected ${expected}`);
  const isCalculated = aDateFormat === "C";
  for (const [name, value] of Object.entries({ aDateCalcBase, aDateCalcMode })) {
    if ((value !== undefined) === isCalculated) continue;
    const expectation = isCalculated ? "due for" : "allowed only with";
    report("date-base", date, `vDateValue/@${name} is ${value ?? "missing"}: ${expectation} aDateFormat="C"`);
  }
  if (aDateCalcBase === undefined || aDateCalcBase === "*DIO") return;
  const before = part
    .all(frame.name)
    .slice(0, part.children.filter((c) => c.name === frame.name).indexOf(frame));
  if (before.some((other) => other.value("vDateTimeType") === aDateCalcBase)) return;
  const expectation = "expected *DIO or the type of a date before";
  report("date-base", date, `vDateValue/@aDateCalcBase is ${aDateCalcBase}, ${expectation}`);
}

/** What was expected, where the value does not fit its format. */
function expectedDate(format: string, value: string): string | undefined {
  if (format === "D") return isDay(value) ? undefined : "a day as YYYYMMDD";
  if (format === "W") return /^\d{4}(0[1-9]|[1-4]\d|5[0-3])$/.test(value) ? undefined : "a week as YYYYWW";
  if (format === "C") return /^\d{4}$/.test(value) ? undefined : "a number of days with four digits";
  return undefined;
}

function isDay(value: string): boolean {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(value) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const text = `${year}-${month}-${day}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Where a month is shorter, the parser either refuses or goes on into the next one.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
