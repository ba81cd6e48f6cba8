import { SessionId, type Static, Type } from "@slipway/sdk";
import { PluginState } from "../../plugins/plugin-state.js";
import { DevelopmentLine } from "./development-line.js";

/** Where the plugin stands that somebody is writing. */
export const DevelopmentAnswer = Type.Object({
  directory: Type.String({ description: "Of its sources, on this machine." }),
  place: Type.String({ description: "Its name in the drop-in folder." }),
  versions: Type.Array(PluginState),
  session: Type.Optional(SessionId),
  reload: Type.Optional(DevelopmentLine),
});
export type DevelopmentAnswer = Static<typeof DevelopmentAnswer>;

/** Lines, oldest first. */
export const DevelopmentLines = Type.Object({ lines: Type.Array(DevelopmentLine) });
