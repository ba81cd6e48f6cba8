/** Formats values in the browser's language. */

const number = new Intl.NumberFormat();
const oneDigit = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const dayAndClock = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const withYear = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

export function shownNumber(value: number): string {
  return number.format(value);
}

/** "1 report", "2 reports". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${number.format(value)} ${value === 1 ? one : many}`;
}

const units = ["B", "KB", "MB", "GB", "TB"];

/** Such as "12.5 MB", of 1024 KB. */
export function shownBytes(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const value = bytes / 1024 ** step;
  return `${value >= 100 ? number.format(Math.round(value)) : oneDigit.format(value)} ${units[step]}`;
}

/** Such as "850 ms", "3.2 s", "5 min". */
export function shownDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${oneDigit.format(milliseconds / 1000)} s`;
  return shownSpan(milliseconds);
}

/** A long time, in its two largest units: "45 s", "5 min", "2 h 5 min", "3 days 4 h". */
export function shownSpan(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return `${counted(days, "day")}${hours % 24 === 0 ? "" : ` ${hours % 24} h`}`;
  if (hours > 0) return `${hours} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
  return minutes > 0 ? `${minutes} min` : `${seconds} s`;
}

/** Time only for today; with date or year for other days. */
export function shownTime(time: Date, now = new Date()): string {
  if (time.toDateString() === now.toDateString()) return clock.format(time);
  return time.getFullYear() === now.getFullYear() ? dayAndClock.format(time) : withYear.format(time);
}

/** "1.0, 1.1 and 2.0". */
export function listed(texts: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(texts);
}
