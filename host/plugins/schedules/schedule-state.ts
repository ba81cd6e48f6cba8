import { type Static, Type } from "@slipway/sdk";
import { orUndefined } from "../../system/or-undefined.js";

/** The last run of a schedule, as it is stored and shown. */
export const LastRun = Type.Object(
  {
    due: Type.Number({ description: "When it was due, in milliseconds since the epoch." }),
    started: Type.Number({ description: "Milliseconds since the epoch." }),
    duration: Type.Optional(Type.Number({ description: "Milliseconds; missing while it goes on." })),
    outcome: Type.Optional(
      Type.String({
        description:
          '"done", or the id of the error that it ended with; missing while it goes on, and when the host ended during it.',
      }),
    ),
  },
  { title: "ScheduleRun" },
);
export type LastRun = Static<typeof LastRun>;

/** A schedule of a live plugin, as admins see it. */
export const ScheduleState = Type.Object(
  {
    name: Type.String(),
    cron: Type.String({ description: "Five fields, or six with seconds." }),
    timeZone: Type.String({ description: "IANA name." }),
    summary: Type.String(),
    nextRun: orUndefined(Type.Number({ description: "Milliseconds since the epoch." })),
    lastRun: orUndefined(LastRun),
    missed: Type.Integer({
      minimum: 0,
      description: "Due times without a run since the last one; 100 stands for more, too.",
    }),
  },
  { title: "PluginSchedule" },
);
export type ScheduleState = Static<typeof ScheduleState>;
