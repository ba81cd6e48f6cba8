import { type Static, Type } from "@slipway/sdk";
import { Integer } from "./numbers.js";

const milliseconds = { minimum: 1, maximum: 600_000 } as const;

/** The section `engine` of the configuration. */
export const EngineConfiguration = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        pattern: "^postgres(ql)?://[^\\s]+$",
        secret: true,
        description:
          "Address of a PostgreSQL database, version 15 or later, that keeps sessions, generated files and jobs for several hosts, such as postgresql://slipway@db.example.com/slipway; without it they are files below `var`.",
      }),
    ),
    pool: Integer([1, 1000], 8, "Connections of this host to the engine."),
    timeout: Type.Integer({
      ...milliseconds,
      default: 2000,
      description:
        "Time for the engine to answer, in milliseconds; after it requests get 503 `engine-unavailable`.",
    }),
    lease: Integer(
      [1000, 600_000],
      10_000,
      "Time in milliseconds for which a host counts as alive after it has last reached the engine; then it refuses what hosts share, and the others go on without it.",
    ),
    start: Type.Integer({
      ...milliseconds,
      default: 60_000,
      description: "How long a starting host waits for the engine, in milliseconds.",
    }),
  },
  { additionalProperties: false, default: {} },
);
export type EngineConfiguration = Static<typeof EngineConfiguration>;
