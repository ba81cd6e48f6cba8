/** Reads the configuration's `delivery` (OEX reference, sections 7.1 and 17.2). */

export type Delivery =
  /** yyyymmdd */
  | { kind: "day"; value: string }
  /** yyyyww */
  | { kind: "week"; value: string; monday: string }
  | {
      kind: "text";
      value: string;
      /** Why it is not a day or week although it looks like one. */
      reason?: string;
    };

/** A day (`2026-05-11`, `20260511`), an ISO week (`2026W27`, `2026-W27`, `202627`), otherwise a text. */
export function readDelivery(delivery: string): Delivery {
  const value = delivery.trim();
  const [, year = "", month = "", day = ""] =
    /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(value) ?? [];
  if (year !== "") {
    return isDay(`${year}-${month}-${day}`)
      ? { kind: "day", value: `${year}${month}${day}` }
      : { kind: "text", value: delivery, reason: "there is no such day" };
  }
  const [, weekYear = "", week = ""] =
    /^(\d{4})-?W(\d{2})$/i.exec(value) ?? /^(\d{4})(\d{2})$/.exec(value) ?? [];
  if (weekYear === "") return { kind: "text", value: delivery };
  const monday = mondayOf(Number(weekYear), Number(week));
  return monday === undefined
    ? { kind: "text", value: delivery, reason: "there is no such week" }
    : { kind: "week", value: `${weekYear}${week}`, monday };
}

function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** yyyymmdd; undefined if the year lacks that week. January 4th is always in week 1. */
function mondayOf(year: number, week: number): string | undefined {
  const first = new Date(Date.UTC(year, 0, 4));
  first.setUTCDate(first.getUTCDate() - ((first.getUTCDay() + 6) % 7) + (week - 1) * 7);
  const thursday = new Date(first);
  thursday.setUTCDate(first.getUTCDate() + 3);
  const isOfYear = week >= 1 && thursday.getUTCFullYear() === year;
  return isOfYear ? first.toISOString().slice(0, 10).replaceAll("-", "") : undefined;
}
