import { Type } from "@slipway/sdk";
import { AuditEntry } from "../security/audit/audit-entry.js";
import type { AuditTrail } from "../security/audit/audit-trail.js";
import { AuditEntries } from "./answers.js";
import { EventStreams } from "./event-streams.js";
import { After, feed, Limit } from "./feed.js";
import { type Operation, operation } from "./operation.js";

/** `/api/audit`: who changed what, as a list or as a stream, which ends at the latest when `closing` aborts. */
export function auditOperations(audit: AuditTrail, closing: AbortSignal): Operation[] {
  const streams = new EventStreams(closing);
  return [
    operation({
      ...feed,
      path: "/api/audit",
      id: "listAudit",
      tag: "events",
      summary: "Who changed what, as a list or as a stream",
      description: "The latest 2,000 entries; the files have more.",
      query: Type.Object({ after: After, limit: Limit }, { additionalProperties: false }),
      answers: {
        200: {
          description: "Entries, oldest first.",
          content: { "application/json": AuditEntries },
          stream: { event: "audit", data: AuditEntry },
        },
      },
      handle(ctx, { query: { limit, after } }) {
        streams.answerOrList(ctx, { events: audit, name: "audit", isWanted: () => true, after }, () => ({
          entries: audit.list({ after, limit }),
        }));
      },
    }),
  ];
}
