import { type Static, Type } from "@slipway/sdk";
import semver from "semver";
import { live } from "./live.js";
import { Integer, Milliseconds } from "./numbers.js";
import { PluginGrants } from "./plugin-grants.js";

const closed = { additionalProperties: false } as const;

const Megabytes = (minimum: number, fallback: number, description: string) =>
  Integer([minimum, 1_000_000], fallback, description);

/** The section `plugins` of the configuration. */
export const PluginsConfiguration = Type.Object(
  {
    memory: Type.Object(
      {
        heap: Megabytes(
          16,
          768,
          "JavaScript heap of one instance in megabytes; an instance that exceeds it ends.",
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
    startTimeout: Milliseconds(30_000, "Time for a plugin to load, set up and probe, in milliseconds."),
    warmUp: Type.Boolean({
      default: true,
      description:
        "Sends each instance the warm-up requests of its plugin before it serves, so that its first reports take no longer than later ones.",
    }),
    replacementTimeout: Milliseconds(
      5000,
      "Time that a request waits for a replacement instance, in milliseconds.",
    ),
    drainTimeout: Milliseconds(
      310_000,
      "Time for a replaced version or instance to finish its requests, in milliseconds.",
    ),
    stopTimeout: Milliseconds(5000, "Time for a plugin's `stop`, in milliseconds."),
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
        description: "The release behind paths without a release; the default is the highest one.",
      }),
    ),
    watch: Type.Enum(["events", "polling"], {
      default: "events",
      description:
        "Detection of changes in the drop-in folders; polling is for network drives without change events.",
    }),
    settlingTime: Milliseconds(
      400,
      "Time without changes after which a plugin without a file list counts as complete, in milliseconds; raise it if copying pauses for longer.",
    ),
    rescanInterval: Milliseconds(
      2000,
      "Interval of full scans of the drop-in folders, in milliseconds; 30 times as long after ten scans without a change, unless `watch` is polling.",
    ),
    development: Type.Boolean({
      default: false,
      description: "Accepts changed content under an existing version; for plugin authors.",
    }),
    probation: Milliseconds(
      60_000,
      "Time for which the replaced version stays on standby, in milliseconds.",
      live,
    ),
    keep: Integer([1, 1_000_000_000], 5, "Versions of a plugin to keep for a rollback.", live),
    archives: Type.Object(
      {
        bytes: Megabytes(1, 256, "Total content of one plugin, in megabytes."),
        files: Integer([1, 1_000_000_000], 20_000, "Files of one plugin."),
      },
      { ...closed, default: {} },
    ),
    trust: Type.Object(
      {
        required: Type.Boolean({
          default: false,
          description: "Admits only plugins signed by one of the keys.",
        }),
        keys: Type.Record(Type.String(), Type.String(), {
          default: {},
          description: "Public Ed25519 keys by a name of your choice, as `slipway plugin key` prints them.",
        }),
        grants: Type.Record(Type.String(), PluginGrants, {
          ...live,
          default: {},
          description:
            "What all plugins signed by a key may do beyond the SDK, by the name of the key; as `plugins.grants`.",
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
          "Limits per plugin, by name, overriding `plugins.memory` (`heap`, `soft`, `hard`; from the next start of its process) and `requests` (`concurrency`, `queue`).",
      },
    ),
    confinement: Type.Enum(["strict", "auto", "off"], {
      default: "auto",
      description:
        "Confinement of plugin processes to what they are granted: `strict` starts none where a layer is missing, `auto` uses what the system has, `off` confines nothing.",
    }),
    grants: Type.Record(Type.String(), PluginGrants, {
      ...live,
      default: {},
      description:
        "What each plugin may do beyond the SDK, by its name or an alias; from the next start of its process.",
    }),
    config: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
      default: {},
      description:
        "Configuration of each plugin by name, merged over the plugin's default configuration and what is saved for it; null removes a member.",
    }),
  },
  { ...closed, default: {} },
);
export type PluginsConfiguration = Static<typeof PluginsConfiguration>;

/** Which keys are trusted, and whether others are. */
export type TrustedKeys = Pick<PluginsConfiguration["trust"], "required" | "keys">;

/** Release name to plugin name (or alias) to version range. */
export type Releases = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The alias for every version. */
export const anyVersion = "*";

/** The release names of a configuration; by default one named after the host's `major.minor`. */
export function releaseNames(releases: Releases, version: string): string[] {
  const names = Object.keys(releases);
  return names.length > 0 ? names : [`${semver.major(version)}.${semver.minor(version)}`];
}
