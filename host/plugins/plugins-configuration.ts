import { type Static, Type } from "@slipway/sdk";

const closed = { additionalProperties: false } as const;

const Milliseconds = (fallback: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, default: fallback, description });

const Megabytes = (minimum: number, fallback: number, description: string) =>
  Type.Integer({ minimum, maximum: 1_000_000, default: fallback, description });

/** How plugins run. */
export const PluginsConfiguration = Type.Object(
  {
    memory: Type.Object(
      {
        heap: Megabytes(
          16,
          768,
          "JavaScript heap of one instance in megabytes; an instance that needs more ends.",
        ),
        soft: Megabytes(
          64,
          1024,
          "Resident megabytes above which an instance is replaced without losing a request.",
        ),
        hard: Megabytes(64, 1536, "Resident megabytes above which an instance is ended at once."),
      },
      { ...closed, default: {} },
    ),
    startTimeout: Milliseconds(
      30_000,
      "How long a plugin may take to load, set up and probe, in milliseconds.",
    ),
    replacementTimeout: Milliseconds(
      5000,
      "How long a request waits while an instance that ended is replaced, in milliseconds.",
    ),
    drainTimeout: Milliseconds(
      60_000,
      "How long an instance that is being replaced may finish its requests, in milliseconds.",
    ),
    stopTimeout: Milliseconds(5000, "How long a plugin's own `stop` may take, in milliseconds."),
    message: Megabytes(
      1,
      128,
      "Largest message between host and plugin, such as a document to print, in megabytes.",
    ),
    projectCache: Megabytes(
      0,
      32,
      "Megabytes of projects, counted as JSON, that one instance keeps in memory.",
    ),
    defaultRelease: Type.Optional(
      Type.String({ description: "The release behind paths without a release; without it the highest one." }),
    ),
    config: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
      default: {},
      description:
        "Configuration of each plugin by its name, laid over the plugin's own default configuration.",
    }),
  },
  { ...closed, default: {} },
);
export type PluginsConfiguration = Static<typeof PluginsConfiguration>;
