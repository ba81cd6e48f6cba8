import { type Static, Type } from "@slipway/sdk";
import { live } from "./live.js";

/** The section `webhooks` of the configuration: how clients are told that their jobs have ended. */
export const WebhooksConfiguration = Type.Object(
  {
    attempts: Type.Integer({
      minimum: 1,
      maximum: 20,
      default: 8,
      description: "Attempts at telling of the end of a job that the receiver may fail.",
    }),
    pause: Type.Integer({
      minimum: 1,
      maximum: 3_600_000,
      default: 5000,
      description:
        "Milliseconds between the first two attempts; each further pause is about five times as long, and a day at most.",
    }),
    timeout: Type.Integer({
      minimum: 1,
      maximum: 600_000,
      default: 15_000,
      description:
        "Milliseconds in which a receiver has to answer; fetch.readTimeout and fetch.timeout bound it, too.",
    }),
    concurrency: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 64,
      description: "Webhooks that this host sends at the same time.",
    }),
    concurrencyPerServer: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 4,
      description: "Those among them to one server, so that one that hangs does not hold up the others.",
    }),
  },
  { additionalProperties: false, default: {}, ...live },
);
export type WebhooksConfiguration = Static<typeof WebhooksConfiguration>;
