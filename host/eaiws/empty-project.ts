import { randomUUID } from "node:crypto";
import type { ProjectDocument } from "@slipway/sdk";

/** A project without items, for a session that was just opened. Prices are in EUR until a client says otherwise. */
export function emptyProject(locale: string, currency = "EUR"): ProjectDocument {
  const now = new Date().toISOString();
  const [language = "en"] = locale.split(/[-_]/);
  return {
    formatVersion: "1",
    id: randomUUID(),
    header: { state: "InProgress", created: now, lastModified: now },
    settings: {
      languages: [language],
      currency,
      referenceCurrency: "EUR",
      exchangeRates: {},
      rounding: { halfWay: "even", interval: "0.01" },
    },
    items: [],
  };
}
