/** Settings for keys, client limits, proxies and browser headers. */
import { type Static, Type } from "@slipway/sdk";
import { live } from "./live.js";
import { Integer } from "./numbers.js";

const closed = { additionalProperties: false } as const;

export const AccessConfiguration = Type.Object(
  {
    keys: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "File of the keys, which `slipway key` writes; default: keys.json in `var`, with `engine.url` the database.",
      }),
    ),
    plugins: Type.Enum(["open", "key"], {
      default: "open",
      description: "Whether plugin calls need a key with the role sessions, once a key exists.",
      ...live,
    }),
  },
  closed,
);

const Count = (fallback: number, description: string, minimum: number) =>
  Integer([minimum, 1_000_000_000], fallback, description);

export const RateLimitsConfiguration = Type.Object(
  {
    period: Integer(
      [1, 86_400],
      60,
      "Length of the window for the other settings of this group, in seconds.",
    ),
    requests: Count(6000, "Requests of one key, or of one address without a key; 0 means no limit.", 0),
    sessions: Count(300, "Sessions that one key or address may open; 0 means no limit.", 0),
    refusedKeys: Count(10, "Wrong keys from one address before it gets 429 for them.", 1),
  },
  { ...closed, ...live },
);
export type RateLimitsConfiguration = Static<typeof RateLimitsConfiguration>;

/** The setting `trustedProxies`. */
export const TrustedProxies = Type.Array(Type.String({ minLength: 1 }), {
  default: [],
  description:
    'Proxies whose X-Forwarded-For, -Proto and -Host count: addresses, ranges such as "10.0.0.0/8", "loopback", "private".',
});

export const SecurityConfiguration = Type.Object(
  {
    connections: Integer(
      [10, 1_000_000],
      2000,
      "Open connections, idle ones included; a new one replaces the one that has been idle longest.",
    ),
    connectionShare: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      default: 0.5,
      description:
        "Share of `security.connections` for one address; this machine and `trustedProxies` are unlimited.",
    }),
    pathLength: Integer(
      [100, 16_000],
      8000,
      "Characters of a path with its query; longer ones get 414.",
      live,
    ),
    queryParameters: Integer([1, 1000], 100, "Query parameters of a request; more get 400.", live),
    strictTransport: Integer(
      [0, 63_072_000],
      31_536_000,
      "Lifetime of Strict-Transport-Security in seconds, sent if `publicUrl` is https; 0 turns it off.",
      live,
    ),
  },
  closed,
);
