import { SessionId, type Static, Type } from "@slipway/sdk";
import { PluginState } from "../../plugins/plugin-state.js";
import { SourcePlace } from "./source-place.js";

/** A log line for the author of a plugin. */
export const DevelopmentLine = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    time: Type.String({ format: "date-time", description: "UTC." }),
    kind: Type.Enum(["log", "request", "reload"], {
      description: "A log line or output of the plugin, a finished request, or the outcome of changed files.",
    }),
    level: Type.Enum(["debug", "info", "warn", "error"]),
    text: Type.String(),
    requestId: Type.Optional(Type.String({ description: "Id of its request." })),
    fields: Type.Record(Type.String(), Type.Unknown(), { description: "Further fields of the log line." }),
    stack: Type.Optional(Type.String({ description: "Of an error, with the places of its sources." })),
    place: Type.Optional(SourcePlace),
  },
  { title: "DevelopmentLine" },
);
export type DevelopmentLine = Static<typeof DevelopmentLine>;

/** State of the plugin in development. */
export const DevelopmentAnswer = Type.Object({
  directory: Type.String({ description: "Folder of its sources on this machine." }),
  place: Type.String({ description: "Its name in the drop-in folder." }),
  versions: Type.Array(PluginState),
  session: Type.Optional(SessionId),
  reload: Type.Optional(DevelopmentLine),
});
export type DevelopmentAnswer = Static<typeof DevelopmentAnswer>;

/** Lines, oldest first. */
export const DevelopmentLines = Type.Object({ lines: Type.Array(DevelopmentLine) });
