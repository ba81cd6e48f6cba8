import { Type } from "@slipway/sdk";
import { AuditEntry } from "../audit/audit-entry.js";
import type { AuditTrail } from "../audit/audit-trail.js";
import { AuditEntries } from "./answers.js";
import { After, Limit } from "./event-operations.js";
import { EventStreams, wantsStream } from "./event-streams.js";
import { Nothing, type Operation, operation, Unread } from "./operation.js";

/** `/api/audit`: who changed what, as a list or as a stream, which ends at the latest when `closing` aborts. */
export function auditOperations(audit: AuditTrail, closing: AbortSignal): Operation[] {
  const streams = new EventStreams(closing);
  return [
    operation({
      method: "GET",
      path: "/api/audit",
      id: "listAudit",
      tag: "events",
      summary: "Who changed what, as a list or as a stream",
      description: "The latest 2,000 entries; the files have more.",
      roles: ["read", "operate"],
      isGuarded: true,
      params: Nothing,
      query: Type.Object({ after: After, limit: Limit }, { additionalProperties: false }),
      body: Unread,
      answers: {
        200: {
          description: "Entries, oldest first.",
          content: { "application/json": AuditEntries },
          stream: { event: "audit", data: AuditEntry },
        },
      },
      errors: { 503: ["request-overloaded"] },
      handle(ctx, { query: { limit, after } }) {
        ctx.vary("Accept");
        if (wantsStream(ctx))
          streams.answer(ctx, { events: audit, name: "audit", isWanted: () => true, after });
        else ctx.body = { entries: audit.list({ after, limit }) };
      },
    }),
  ];
}
