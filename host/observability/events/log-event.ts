import type { Log } from "@slipway/sdk";
import { eventText } from "./event-text.js";
import type { EventFacts } from "./plugin-event.js";

/** One line in the log for an event; what went wrong is an error there, and steps on the way are for those who debug. */
export function logEvent(log: Log, event: EventFacts): void {
  const { kind, plugin, version, ...facts } = event;
  const label = plugin !== undefined && version !== undefined ? `${plugin}@${version}` : plugin;
  log[levelOf(event)](eventText(event), { event: kind, plugin: label, ...facts });
}

function levelOf({ kind, from, to, reason }: EventFacts): keyof Log {
  if (kind === "restart") return "warn";
  if (kind === "releases") return to === "refused" ? "warn" : "info";
  // Whoever reads the configuration has a line of its own, each time.
  if (kind === "configuration") return "debug";
  if (kind !== "stage") return "info";
  if (to === "rejected" || to === "failed" || to === "quarantined") return "error";
  return to === "live" || (reason !== undefined && from !== to) ? "info" : "debug";
}
