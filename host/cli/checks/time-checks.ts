/** Checks clock, time zones and languages of this machine. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseLocale } from "@slipway/sdk";
import type { Configuration } from "../../configuration/configuration.js";
import { type Check, hint, right, wrong } from "./check.js";

const hour = 3_600_000;
/** Limit of files to check; a wrong clock shows in the first ones. */
const mostFiles = 500;
const minute = 60_000;

/** Files from the future show that the clock is behind, or was ahead. */
export async function futureFilesCheck({ var: folder }: Pick<Configuration, "var">): Promise<Check[]> {
  const now = Date.now();
  let latest = 0;
  for (const place of [folder, join(folder, "sessions"), join(folder, "files")]) {
    for (const name of (await readdir(place).catch(() => [])).slice(0, mostFiles)) {
      const found = await stat(join(place, name)).catch(() => undefined);
      latest = Math.max(latest, found?.mtimeMs ?? 0);
    }
  }
  if (latest <= now + hour) return [];
  const detail =
    `files in ${folder} are from ${new Date(latest).toISOString()}, but the clock says ${new Date(now).toISOString()}; ` +
    "set it, for instance with timedatectl set-ntp true";
  return [wrong("clock", detail)];
}

/** Compares the clock with the `Date` header of a server. */
export function clockCheck(server: string, date: string | null): Check[] {
  const there = Date.parse(date ?? "");
  if (Number.isNaN(there)) return [];
  const minutes = Math.round(Math.abs(Date.now() - there) / minute);
  if (minutes <= 5) return [right("clock", `as that of ${server}`)];
  const detail = `it differs from that of ${server} by ${minutes} minutes; set it, for instance with timedatectl set-ntp true`;
  return [wrong("clock", detail)];
}

/** Whether Node.js has time zones and `TZ` is valid; without `TZ` the system setting applies. */
export function timeZoneCheck(zone = process.env["TZ"]): Check[] {
  if (Intl.supportedValuesOf("timeZone").length < 100)
    return [wrong("time zones", "this Node.js has no time zone data; install one with full ICU")];
  if (zone === undefined || zone === "" || isTimeZone(zone)) return [];
  const detail = `TZ is ${zone}, which is no time zone; times in reports are those of UTC. Set one such as Europe/Berlin`;
  return [wrong("time zones", detail)];
}

/** A leading colon refers to a system file of that name. */
function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone.replace(/^:/, "") }) !== undefined;
  } catch {
    return false;
  }
}

/** Whether dates and numbers can be formatted in the configured locale. */
export function localeCheck({ sessions: { locale } }: Pick<Configuration, "sessions">): Check[] {
  if (new Intl.NumberFormat("de").format(1.5) !== "1,5")
    return [wrong("languages", "this Node.js writes numbers in English only; install one with full ICU")];
  const language = parseLocale(locale)?.language ?? locale;
  if (Intl.NumberFormat.supportedLocalesOf([language]).length > 0) return [];
  return [
    hint("languages", `numbers and dates of ${locale} (sessions.locale) are not known; they are English`),
  ];
}
