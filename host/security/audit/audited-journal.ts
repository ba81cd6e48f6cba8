import type { Journal } from "../../observability/events/plugin-event.js";
import type { AuditTrail } from "./audit-trail.js";

const ofConfiguration: ReadonlySet<string> = new Set(["releases", "configuration"]);

/** A journal that also records configuration events in the audit trail. */
export function auditedJournal(journal: Journal, audit: Pick<AuditTrail, "note">): Journal {
  return {
    fault: (message, fields) => journal.fault(message, fields),
    note(event) {
      journal.note(event);
      const { kind, to, reason, actor } = event;
      if (!ofConfiguration.has(kind) || to === "waiting") return;
      void audit.note({
        actor,
        action: "configuration.change",
        target: kind,
        outcome: to === "refused" ? "refused" : "done",
        ...(reason !== undefined && { message: reason }),
      });
    },
  };
}
