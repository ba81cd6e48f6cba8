import { type Static, Type } from "@slipway/sdk";
import { EntryHost } from "../../observability/entry-journal.js";

export const AuditOutcome = Type.Enum(["done", "refused", "failed"], {
  description:
    "done: it is in force; refused: the host did not do it; failed: something went wrong in between, and the log says what.",
});
export type AuditOutcome = Static<typeof AuditOutcome>;

/** The facts of an action before it is done. */
export const AuditFacts = Type.Object({
  actor: Type.String({
    description: 'Who or what did it, such as "key deploy 10.0.0.7", "key file" or "host".',
  }),
  key: Type.Optional(Type.String({ description: "Name of the key." })),
  address: Type.Optional(Type.String({ description: "Of the client." })),
  action: Type.String({ description: 'Such as "plugin.rollback", "key.new" or "session.close".' }),
  target: Type.Optional(Type.String({ description: "What it was done to, such as the name of a plugin." })),
  requestId: Type.Optional(Type.String({ description: "The log has it on each line about the request." })),
});
export type AuditFacts = Static<typeof AuditFacts>;

/** One entry of the audit trail. */
export const AuditEntry = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: "Increases by one with each entry, across restarts." }),
    time: Type.String({ format: "date-time", description: "UTC." }),
    ...AuditFacts.properties,
    details: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: "What was asked for." }),
    ),
    outcome: AuditOutcome,
    message: Type.Optional(Type.String({ description: "Why it was refused or failed." })),
    host: Type.Optional(EntryHost),
  },
  { title: "AuditEntry" },
);
export type AuditEntry = Static<typeof AuditEntry>;

/** The outcome of an action. */
export type AuditEnd = Pick<AuditEntry, "outcome"> & {
  [Name in "details" | "message"]?: AuditEntry[Name] | undefined;
};

/**
 * A line of the file. The beginning of an action is a line with `begun` and without an id; its entry has the same
 * `begun`.
 */
export const AuditLine = Type.Object({
  ...Type.Partial(AuditEntry).properties,
  time: AuditEntry.properties.time,
  actor: AuditFacts.properties.actor,
  action: AuditFacts.properties.action,
  begun: Type.Optional(Type.String()),
});
export type AuditLine = Static<typeof AuditLine>;
