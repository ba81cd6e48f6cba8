import { type Static, Type } from "@slipway/sdk";

/** A file that a plugin version brings besides its code. */
export const PluginAsset = Type.Object(
  {
    path: Type.String({ description: 'Below the plugin\'s folder, "/" between names.' }),
    bytes: Type.Integer({ minimum: 0 }),
    sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  },
  { title: "PluginAsset" },
);
export type PluginAsset = Static<typeof PluginAsset>;
