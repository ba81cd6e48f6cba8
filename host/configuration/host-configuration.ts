/** Settings of the host's own parts; each service declares its own. */
import { type Static, Type } from "@slipway/sdk";
import { clientShare } from "../system/fair-queue.js";
import { live } from "./live.js";
import { Count, Integer, Milliseconds } from "./numbers.js";

const closed = { additionalProperties: false } as const;
const megabyte = 1024 * 1024;
const minute = 60_000;

export const FoldersConfiguration = Type.Object(
  {
    plugins: Type.Array(Type.String({ minLength: 1 }), { description: "Drop-in folders of plugins." }),
    templates: Type.Array(Type.String({ minLength: 1 }), { description: "Drop-in folders of templates." }),
    procedures: Type.String({
      minLength: 1,
      description: "Folder of pricing procedures, one JSON file each.",
    }),
  },
  closed,
);

export const SessionsConfiguration = Type.Object(
  {
    lifetime: Milliseconds(24 * 60 * minute, "Lifetime of a session after its last use, in milliseconds."),
    locale: Type.String({ default: "en", description: "Default locale of sessions." }),
    maximumSessions: Count(10_000, "Number of open sessions."),
    maximumBytes: Count(20 * 1024 * megabyte, "Bytes of all open sessions on disk."),
    opening: Type.Object(
      {
        memory: Integer(
          [64, 1_000_000],
          2048,
          "Memory that opening or writing one large project may take, in megabytes.",
        ),
        timeout: Milliseconds(
          minute,
          "How long opening or writing one large project may take, in milliseconds.",
        ),
        queue: Count(16, "Large projects being opened, written or waiting; they are handled one at a time."),
      },
      { ...closed, default: {} },
    ),
  },
  { ...closed, ...live },
);

export const FilesConfiguration = Type.Object(
  {
    lifetime: Milliseconds(24 * 60 * minute, "Lifetime of a generated file, in milliseconds."),
    minimumLifetime: Milliseconds(
      10 * minute,
      "Guaranteed lifetime of a generated file, in milliseconds; after that the oldest are deleted when space runs short.",
    ),
    maximumBytes: Count(20 * 1024 * megabyte, "Bytes of all generated files on disk."),
    minimumFree: Count(
      256 * megabyte,
      "Free bytes to keep on the disk; below that the oldest generated files are deleted.",
      0,
    ),
  },
  { ...closed, ...live },
);

export const LimitsConfiguration = Type.Object(
  {
    json: Count(megabyte, "Bytes of the JSON body of a plugin request."),
    project: Count(100 * megabyte, "Bytes of an uploaded project, before and after decompression."),
  },
  { ...closed, ...live },
);

export const RequestsConfiguration = Type.Object(
  {
    receive: Milliseconds(5 * minute, "Time for a client to send a request with its body, in milliseconds."),
    bodyTimeout: Milliseconds(
      10_000,
      "Longest pause within a body before the request gets 408, in milliseconds.",
    ),
    bodyRate: Count(
      1000,
      "Minimum bytes per second of a body, averaged over three times `requests.bodyTimeout`; 0 means no minimum.",
      0,
    ),
    timeout: Milliseconds(minute, "Default deadline of requests, in milliseconds; a route may set its own."),
    concurrency: Count(16, "Concurrent requests of one plugin."),
    queue: Integer([0], 128, "Further requests that may wait for one plugin."),
    clientShare: clientShare("Part of that queue"),
    drain: Milliseconds(30_000, "How long a stopping host waits for running requests, in milliseconds."),
  },
  { ...closed, ...live },
);

export const CorsConfiguration = Type.Object(
  {
    origins: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        'Origins whose pages may call all of this host, such as "https://app.example.com"; "*" means every one.',
    }),
    plugins: Type.Enum(["auto", "any", "listed"], {
      default: "auto",
      description:
        "Pages that may call plugins and fetch files: of any origin, or of the origins that `origins` lists. `auto` is `any` unless `origins` lists some or `access.plugins` is `key`.",
    }),
    maxAge: Integer([0], 600, "Time for which browsers cache the preflight response, in seconds."),
  },
  { ...closed, ...live },
);

export const LogConfiguration = Type.Object(
  {
    level: Type.Enum(["debug", "info", "warn", "error", "silent"], {
      default: "info",
      description: "Minimum level of log lines.",
      ...live,
    }),
    format: Type.Enum(["auto", "json", "text"], {
      default: "auto",
      description:
        '"json": an object per line; "text": for people; "auto": texts at a terminal, else objects.',
    }),
  },
  closed,
);

export type LogConfiguration = Static<typeof LogConfiguration>;

/** Release name to plugin name to version range, in npm syntax. */
export const ReleasesConfiguration = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
  ...live,
  description:
    "Path prefixes and the plugin versions behind them; the default is one release named after the host's version.",
});

/** Release name to its aliases in paths. */
export const ReleaseAliasesConfiguration = Type.Record(Type.String(), Type.Array(Type.String()), {
  ...live,
  description:
    'Further path prefixes of releases, by name, such as `{"1.0": ["4.18.2-001", "*"]}`; "*" stands for every version that is neither a release nor an alias.',
});

const DeprecatedRelease = Type.Object(
  {
    since: Type.String({
      format: "date-time",
      description: "Start of the deprecation.",
    }),
    sunset: Type.Optional(Type.String({ format: "date-time", description: "Expected end of service." })),
    link: Type.Optional(Type.String({ description: "Page about the deprecation." })),
    successor: Type.Optional(Type.String({ description: "Successor release." })),
  },
  closed,
);
export type DeprecatedRelease = Static<typeof DeprecatedRelease>;

export const DeprecatedReleasesConfiguration = Type.Record(Type.String(), DeprecatedRelease, {
  ...live,
  description:
    "Deprecated releases by name, announced in the headers of responses. `since` and optionally `sunset` are times such as " +
    '"2027-01-31T00:00:00Z", `link` is the address of a page about it, `successor` another release.',
});
export type DeprecatedReleases = Static<typeof DeprecatedReleasesConfiguration>;
