import { type Static, Type } from "@slipway/sdk";
import type { OpenSession } from "./open-sessions.js";
import { ProjectSummary, type SessionRecord, type StoredSession } from "./session-store.js";

const facts = {
  sessionId: Type.String({ format: "uuid" }),
  locale: Type.String({ description: 'Of texts, such as "de_DE".' }),
  expiresAt: Type.String({ format: "date-time", description: "UTC; each use moves it." }),
  revision: Type.Integer({ minimum: 1, description: "Increases with each replacement of the project." }),
  project: ProjectSummary,
};

/** A session, for clients. */
export const SessionAnswer = Type.Object(facts, { title: "Session" });
export type SessionAnswer = Static<typeof SessionAnswer>;

/** A session in a list; its id is shortened for callers without the right to use it. */
export const ListedSession = Type.Object(
  {
    ...facts,
    sessionId: Type.String({ description: "Its beginning only, for a caller without the role `sessions`." }),
    opened: Type.String({ format: "date-time", description: "UTC." }),
    bytes: Type.Integer({ minimum: 0, description: "Of its projects and their pictures on disk." }),
  },
  { title: "ListedSession" },
);
export type ListedSession = Static<typeof ListedSession>;

/** A session with the warnings of its newly read project. */
export const OpenedSession = Type.Object(
  {
    ...facts,
    warnings: Type.Array(
      Type.Object({
        path: Type.String({ description: "Where in the project." }),
        message: Type.String(),
        line: Type.Optional(Type.Integer({ minimum: 1, description: "Of the file, in the first place." })),
        count: Type.Optional(Type.Integer({ minimum: 2, description: "Number of equal warnings." })),
      }),
      { description: "Parts that could not be read." },
    ),
  },
  { title: "OpenedSession" },
);
export type OpenedSession = Static<typeof OpenedSession>;

export function sessionAnswer(record: SessionRecord): SessionAnswer {
  return {
    sessionId: record.id,
    locale: record.locale,
    expiresAt: new Date(record.expiresAt).toISOString(),
    revision: record.revision,
    project: record.summary,
  };
}

export function listedSession({ record, bytes }: StoredSession): ListedSession {
  return { ...sessionAnswer(record), opened: new Date(record.created).toISOString(), bytes };
}

export function openedSession({ record, warnings }: OpenSession): OpenedSession {
  return { ...sessionAnswer(record), warnings };
}
