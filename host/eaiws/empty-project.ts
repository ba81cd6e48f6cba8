import { randomUUID } from "node:crypto";
import type { ProjectDocument } from "@slipway/sdk";
import type { RequestContext } from "../http/request-state.js";
import type { SessionRecord } from "../sessions/sessions.js";
import type { SessionServiceParts } from "./service-parts.js";

/**
 * A new session with a project without items. `locale`: such as "de_DE"; without it that of the configuration. 429
 * `request-rate-limited` for a client that opens too many; 400 `request-bad-request` for another locale.
 */
export async function openEmptySession(
  { configuration, limitOpening, sessions }: SessionServiceParts,
  ctx: RequestContext,
  { locale, currency }: { locale: string | undefined; currency?: string },
): Promise<SessionRecord> {
  await limitOpening(ctx);
  const project = emptyProject(locale ?? configuration.sessions.locale, currency);
  const bytes = Buffer.from(JSON.stringify(project));
  const { record } = await sessions.open({ bytes, mediaType: "application/json", filename: "", locale });
  return record;
}

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
