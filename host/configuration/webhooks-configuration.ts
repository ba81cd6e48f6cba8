import { type Static, Type } from "@slipway/sdk";
import { live } from "./live.js";
import { Integer } from "./numbers.js";

/** The section `webhooks` of the configuration. */
export const WebhooksConfiguration = Type.Object(
  {
    attempts: Integer([1, 20], 8, "Attempts at telling of the end of a job that the receiver may fail."),
    pause: Integer(
      [1, 3_600_000],
      5000,
      "Milliseconds between the first two attempts; each further pause is about five times as long, and a day at most.",
    ),
    timeout: Integer(
      [1, 600_000],
      15_000,
      "Milliseconds in which a receiver has to answer; fetch.readTimeout and fetch.timeout bound it, too.",
    ),
    concurrency: Integer([1, 1000], 64, "Webhooks that this host sends at the same time."),
    concurrencyPerServer: Integer(
      [1, 1000],
      4,
      "Those among them to one server, so that one that hangs does not hold up the others.",
    ),
  },
  { additionalProperties: false, default: {}, ...live },
);
export type WebhooksConfiguration = Static<typeof WebhooksConfiguration>;
