import { type Static, Type } from "@slipway/sdk";
import { live } from "./live.js";

/** The section `idempotency` of the configuration. */
export const IdempotencyConfiguration = Type.Object(
  {
    lifetime: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      default: 86_400_000,
      description: "How long the answer to a request with `Idempotency-Key` is repeated, in milliseconds.",
    }),
    maximumKeys: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 10_000,
      description: "Number of remembered keys; requests with further ones get 503.",
    }),
  },
  { additionalProperties: false, default: {}, ...live },
);
export type IdempotencyConfiguration = Static<typeof IdempotencyConfiguration>;
