import type { Log } from "@slipway/sdk";
import type { EventFacts } from "./plugin-event.js";

/** The event as one sentence without its reason, such as "Release 1.0 answers with oex@1.1.0 instead of 1.0.0". */
export function eventText(event: EventFacts): string {
  const { kind, release, from, to, actor } = event;
  const subject = subjectOf(event);
  switch (kind) {
    case "stage":
      return from === to ? `${subject} is still ${to}` : `${subject} is ${to}`;
    case "switch":
      if (to === undefined) return `Release ${release} no longer serves ${event.plugin}`;
      return `Release ${release} answers with ${event.plugin}@${to}${from === undefined ? "" : ` instead of ${from}`}`;
    case "rollback":
      return `${event.plugin} was rolled back in release ${release}, from ${from ?? "nothing"} to ${to} (${actor})`;
    case "disable":
      return `${subject} was disabled (${actor})`;
    case "enable":
      return `${subject} was enabled (${actor})`;
    case "grant":
      return `${subject} has other grants (${actor})`;
    case "releases":
      return to === "refused"
        ? `A changed configuration was refused (${actor})`
        : `The releases were changed (${actor})`;
    case "generation":
      return to === "committed"
        ? `All hosts have switched ${subject} (${actor})`
        : `The hosts have not switched ${subject} (${actor})`;
    case "configuration":
      if (event.plugin !== undefined) return `${subject} has another configuration (${actor})`;
      return to === "waiting"
        ? `Changed settings wait for a restart (${actor})`
        : `Changed settings are in force (${actor})`;
    case "restart":
      return `An instance of ${subject} ended and is replaced`;
  }
}

function subjectOf({ plugin, version, place }: EventFacts): string {
  if (plugin !== undefined) return version === undefined ? plugin : `${plugin}@${version}`;
  return place ?? "A plugin";
}

/** Logs an event: failures as errors, intermediate steps as debug. */
export function logEvent(log: Log, event: EventFacts): void {
  const { kind, plugin, version, ...facts } = event;
  const label = plugin !== undefined && version !== undefined ? `${plugin}@${version}` : plugin;
  log[levelOf(event)](eventText(event), { event: kind, plugin: label, ...facts });
}

function levelOf({ kind, plugin, from, to, reason }: EventFacts): keyof Log {
  if (kind === "restart") return "warn";
  if (kind === "generation") return to === "aborted" ? "warn" : "info";
  if (kind === "releases") return to === "refused" ? "warn" : "info";
  // The configuration logs each change itself.
  if (kind === "configuration" && plugin === undefined) return "debug";
  if (kind !== "stage") return "info";
  if (to === "rejected" || to === "failed" || to === "quarantined") return "error";
  return to === "live" || (reason !== undefined && from !== to) ? "info" : "debug";
}
