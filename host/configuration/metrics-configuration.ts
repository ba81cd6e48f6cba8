import { type Static, Type } from "@slipway/sdk";
import { live } from "./live.js";

export const MetricsConfiguration = Type.Object(
  {
    retention: Type.Integer({
      minimum: 1000,
      maximum: 2_147_483_647,
      default: 900_000,
      description: "How long the metrics of a plugin version that is gone are still shown, in milliseconds.",
    }),
  },
  { additionalProperties: false, ...live },
);
export type MetricsConfiguration = Static<typeof MetricsConfiguration>;
