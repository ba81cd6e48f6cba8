import { type Static, Type } from "@slipway/sdk";
import { live } from "./live.js";
import { Integer } from "./numbers.js";

/** The section `idempotency` of the configuration. */
export const IdempotencyConfiguration = Type.Object(
  {
    lifetime: Integer(
      [1, 2_147_483_647],
      86_400_000,
      "How long the answer to a request with `Idempotency-Key` is repeated, in milliseconds.",
    ),
    maximumKeys: Integer(
      [1, Number.MAX_SAFE_INTEGER],
      10_000,
      "Number of remembered keys; requests with further ones get 503.",
    ),
  },
  { additionalProperties: false, default: {}, ...live },
);
export type IdempotencyConfiguration = Static<typeof IdempotencyConfiguration>;
