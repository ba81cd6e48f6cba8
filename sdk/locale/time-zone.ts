/** Days and times in a time zone. */
import { Type } from "../schema/schema.js";

/** The setting `timeZone` of plugins that write times; check it with `checkTimeZone`. */
export const TimeZone = Type.String({
  minLength: 1,
  maxLength: 100,
  default: "UTC",
  description: 'IANA name of the zone of dates and file names, such as "Europe/Berlin".',
});

/** A moment in a time zone, in the notations of order documents and file names (OEX reference, sections 2.1 and 7). */
export interface LocalTime {
  /** yyyymmdd */
  day: string;
  /** hhmmss, 24 hours */
  time: string;
  /** Offset from UTC at that moment, such as "+0100". */
  offset: string;
}

/**
 * Makes the start of a plugin fail if its setting is not a time zone; call it in `setup`.
 * @throws Error: names the setting, the received value and the expectation
 */
export function checkTimeZone(timeZone: string, setting: string): void {
  if (/^[A-Za-z]/.test(timeZone) && isKnown(timeZone)) return;
  throw new Error(
    `\`${setting}\` must be the IANA name of a time zone such as "Europe/Berlin", but is ${JSON.stringify(timeZone)}`,
  );
}

function isKnown(timeZone: string): boolean {
  // The default; loading the data of the zones would delay the start of a plugin.
  if (timeZone === "UTC") return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** A moment in a time zone (IANA name). Seconds of historical offsets are left out. */
export function localTime(moment: Date, timeZone: string): LocalTime {
  const offset = offsetMinutes(moment, timeZone);
  const [day = "", time = ""] = new Date(moment.getTime() + offset * 60_000).toISOString().split("T");
  return {
    day: day.replaceAll("-", ""),
    time: time.slice(0, 8).replaceAll(":", ""),
    offset: written(offset),
  };
}

/** The UTC offset of a calendar day (yyyymmdd), at noon to be independent of clock changes. */
export function offsetOfDay(day: string, timeZone: string): string {
  const noon = new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6, 8)}T12:00:00Z`);
  return written(offsetMinutes(noon, timeZone));
}

/** The difference between the local time of the zone and UTC, at most a day. */
function offsetMinutes(moment: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const shown = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const ahead = (type: Intl.DateTimeFormatPartTypes, utc: number): number => (shown.get(type) ?? utc) - utc;
  const seconds =
    days(ahead("day", moment.getUTCDate())) * 86_400 +
    ahead("hour", moment.getUTCHours()) * 3600 +
    ahead("minute", moment.getUTCMinutes()) * 60 +
    ahead("second", moment.getUTCSeconds());
  return Math.trunc(seconds / 60);
}

/** From the difference between two days of a month, which are the same or neighbours: a day on is 1, or -30 after the 31st. */
function days(difference: number): number {
  return Math.abs(difference) > 1 ? -Math.sign(difference) : difference;
}

function written(minutes: number): string {
  const size = Math.abs(minutes);
  const digits = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, "0"));
  return `${minutes < 0 ? "-" : "+"}${digits.join("")}`;
}
