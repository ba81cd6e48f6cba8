/** The fictitious manufacturers of the demo project. Codes have up to four capitals, as in OEX. */
import type { Manufacturer } from "@slipway/sdk";
import { inBoth } from "./demo-texts.js";

const series = {
  LINE: { manufacturerId: "BREN", name: inBoth("Linea", "Linea") },
  KANT: { manufacturerId: "BREN", name: inBoth("Kant storage", "Kant Stauraum") },
  FORU: { manufacturerId: "BREN", name: inBoth("Forum", "Forum") },
  ARO: { manufacturerId: "SOLV", name: inBoth("Aro", "Aro") },
  MIRA: { manufacturerId: "SOLV", name: inBoth("Mira lounge", "Mira Lounge") },
  STIL: { manufacturerId: "KVIS", name: inBoth("Stilla acoustics", "Stilla Akustik") },
  LYSA: { manufacturerId: "KVIS", name: inBoth("Lysa light", "Lysa Licht") },
} as const;

export type SeriesId = keyof typeof series;
export type ManufacturerId = (typeof series)[SeriesId]["manufacturerId"];

const manufacturers = {
  BREN: { name: inBoth("Brenholt Workplaces", "Brenholt Arbeitswelten"), currency: "EUR" },
  SOLV: { name: inBoth("Solvanne Seating", "Solvanne Sitzmöbel"), currency: "EUR" },
  KVIS: { name: inBoth("Kvistad Acoustics & Light", "Kvistad Akustik & Licht"), currency: "EUR" },
} as const;

/** The manufacturer of a series, and the currency of its price list. */
export function inSeries(id: SeriesId): { manufacturerId: ManufacturerId; currency: string } {
  const { manufacturerId } = series[id];
  return { manufacturerId, currency: manufacturers[manufacturerId].currency };
}

/** Names of manufacturers and series for the project document, in the order of `used`. */
export function manufacturerNames(used: readonly SeriesId[]): Record<string, Manufacturer> {
  const names: Record<string, Manufacturer> = {};
  for (const id of used) {
    const { manufacturerId, name } = series[id];
    const known = names[manufacturerId] ?? { name: manufacturers[manufacturerId].name, series: {} };
    known.series[id] ??= name;
    names[manufacturerId] = known;
  }
  return names;
}
