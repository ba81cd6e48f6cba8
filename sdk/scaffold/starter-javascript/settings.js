// @ts-check
import { Type } from "@slipway/sdk";

/** The plugin's settings. Defaults are in config.json; with invalid settings the plugin does not start. */
export const Settings = Type.Object(
  {
    procedure: Type.String({ minLength: 1, description: "Pricing procedure that computes the prices." }),
    separator: Type.Enum([";", ","], { description: "Between the cells of a line." }),
  },
  { additionalProperties: false },
);
/** @typedef {import("@slipway/sdk").Static<typeof Settings>} Settings */
