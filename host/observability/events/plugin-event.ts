import { type Static, Type } from "@slipway/sdk";
import { EntryHost } from "../entry-journal.js";

/**
 * `stage`: a version changed its stage. `switch`: a release responds with another version from now on. `rollback`, `disable`,
 * `enable`, `grant`: by an admin or the host. `releases`: the configuration of releases took effect, or was refused. `generation`: all hosts
 * that share an engine have switched, or have not. `configuration`: other changed settings are in force, or wait for a restart; of
 * a plugin: its configuration was saved. `restart`: an instance ended and is replaced.
 */
const eventKinds = [
  "stage",
  "switch",
  "rollback",
  "disable",
  "enable",
  "grant",
  "releases",
  "generation",
  "configuration",
  "restart",
] as const;

/** An event before it has an id and a time. */
const eventFacts = {
  kind: Type.Enum([...eventKinds]),
  plugin: Type.Optional(Type.String({ description: "Public name." })),
  version: Type.Optional(Type.String()),
  hash: Type.Optional(Type.String({ description: "Of the version's content." })),
  release: Type.Optional(Type.String()),
  place: Type.Optional(Type.String({ description: "Name in the drop-in folder." })),
  from: Type.Optional(Type.String({ description: "Stage, or version of a switch, before." })),
  to: Type.Optional(
    Type.String({
      description:
        'Stage, or version of a switch, from now on; for releases "in force" or "refused", for a generation "committed" or "aborted", for other settings "in force" or "waiting".',
    }),
  ),
  reason: Type.Optional(Type.String({ description: "One or more sentences for people." })),
  actor: Type.String({
    description: 'Who or what caused it: "host", "folder", "configuration", or a client of the host API.',
  }),
};

/** One entry of the event log. */
export const PluginEvent = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: "Increases by one with each event, across restarts." }),
    time: Type.String({ format: "date-time", description: "UTC." }),
    ...eventFacts,
    host: Type.Optional(EntryHost),
  },
  { title: "PluginEvent" },
);
export type PluginEvent = Static<typeof PluginEvent>;

export const EventFacts = Type.Object(eventFacts);
export type EventFacts = Static<typeof EventFacts>;

/** Records events of plugins. Never fails. */
export interface Journal {
  note(event: EventFacts): void;
  /** Logs a mistake of the host itself. */
  fault(message: string, fields: Record<string, unknown>): void;
}

/** The events of plugins. */
export interface EventLog extends Journal {
  /** Reads the events of earlier hosts. */
  open(): Promise<void>;
  /** Events after an id, oldest first; without it the latest. At most `limit`. */
  list(query: { after?: number | undefined; plugin?: string | undefined; limit: number }): PluginEvent[];
  /** Calls the listener at once for each event of this host; returns a function that ends this. */
  followOwn(listener: (event: EventFacts) => void): () => void;
  /** Calls the listener for each later event of all hosts that share an engine; returns a function that ends this. */
  follow(listener: (event: PluginEvent) => void): () => void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}
