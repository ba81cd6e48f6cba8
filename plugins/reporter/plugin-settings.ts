/** The plugin's settings (`plugins.config.Reporter` of the server's configuration). */
import { type Static, TimeZone, Type } from "@slipway/sdk";

export const PluginSettings = Type.Object(
  {
    listAliases: Type.Boolean({
      default: false,
      description:
        'Lists the templates of the server under their aliases as well, for clients that look for keys such as "basket-standard-pro-fop".',
    }),
    timeZone: TimeZone,
  },
  { additionalProperties: false },
);
export type PluginSettings = Static<typeof PluginSettings>;
