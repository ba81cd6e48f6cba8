import type { Log } from "@slipway/sdk";
import type { EventFacts } from "./plugin-event.js";

/** One line in the log for an event; what went wrong is an error there. */
export function logEvent(log: Log, { kind, plugin, version, ...facts }: EventFacts): void {
  const label = plugin !== undefined && version !== undefined ? `${plugin}@${version}` : plugin;
  const fields = { plugin: label, ...facts };
  const { to, reason } = facts;
  if (kind !== "stage") log.info(`Plugins: ${kind}`, fields);
  else if (to === "rejected" || to === "failed" || to === "quarantined") log.error(`Plugin ${to}`, fields);
  else if (to === "live" || reason !== undefined) log.info(`Plugin ${to}`, fields);
  else log.debug(`Plugin ${to}`, fields);
}
