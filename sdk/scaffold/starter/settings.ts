import { type Static, Type } from "@slipway/sdk";

/** What admins may set. The defaults are in config.json; a host does not start the plugin with anything else. */
export const Settings = Type.Object(
  {
    procedure: Type.String({ minLength: 1, description: "Pricing procedure that computes the prices." }),
    separator: Type.Enum([";", ","], { description: "Between the cells of a line." }),
  },
  { additionalProperties: false },
);
export type Settings = Static<typeof Settings>;
