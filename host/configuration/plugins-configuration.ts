import { type Static, Type } from "@slipway/sdk";
import { live } from "./live.js";

const closed = { additionalProperties: false } as const;

const Milliseconds = (fallback: number, description: string, more = {}) =>
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, default: fallback, description, ...more });

const Count = (minimum: number, fallback: number, description: string, more = {}) =>
  Type.Integer({ minimum, maximum: 1_000_000_000, default: fallback, description, ...more });

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
      310_000,
      "How long a version or an instance that is being replaced may finish its requests, in milliseconds.",
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
      Type.String({
        ...live,
        description: "The release behind paths without a release; without it the highest one.",
      }),
    ),
    watch: Type.Enum(["events", "polling"], {
      default: "events",
      description:
        "How changes of the drop-in folders are noticed; polling is for network drives that tell nothing.",
    }),
    settlingTime: Milliseconds(
      400,
      "How long a place without a list of its files has to stay as it is before it counts as complete, in milliseconds; longer where copying makes longer pauses.",
    ),
    rescanInterval: Milliseconds(
      2000,
      "How often the drop-in folders are looked at without being told, in milliseconds.",
    ),
    development: Type.Boolean({
      default: false,
      description: "Takes over changed content under an old version; for those who write plugins.",
    }),
    probation: Milliseconds(
      60_000,
      "How long the version that was replaced stands by for its successor, in milliseconds.",
      live,
    ),
    keep: Count(1, 5, "Versions of a plugin that are kept for a rollback.", live),
    archives: Type.Object(
      {
        bytes: Megabytes(1, 256, "Content of one plugin in all, in megabytes."),
        files: Count(1, 20_000, "Files of one plugin."),
      },
      { ...closed, default: {} },
    ),
    trust: Type.Object(
      {
        required: Type.Boolean({
          default: false,
          description: "Admits only plugins that are signed by one of the keys.",
        }),
        keys: Type.Record(Type.String(), Type.String(), {
          default: {},
          description: "Public Ed25519 keys by a name of your choice, as `slipway plugin key` prints them.",
        }),
      },
      { ...closed, default: {} },
    ),
    limits: Type.Record(
      Type.String(),
      Type.Object(
        {
          heap: Type.Optional(Type.Integer({ minimum: 16, maximum: 1_000_000 })),
          soft: Type.Optional(Type.Integer({ minimum: 64, maximum: 1_000_000 })),
          hard: Type.Optional(Type.Integer({ minimum: 64, maximum: 1_000_000 })),
          concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
          queue: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
        },
        closed,
      ),
      {
        ...live,
        default: {},
        description:
          "Limits of single plugins by name, in place of `plugins.memory` (`heap`, `soft`, `hard`; from the next start of its process on) and of `requests` (`concurrency`, `queue`).",
      },
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
