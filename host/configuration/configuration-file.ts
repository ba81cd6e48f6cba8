import { Type } from "@slipway/sdk";
import { Configuration } from "./configuration.js";
import { FoldersConfiguration } from "./host-configuration.js";
import { isSettings } from "./settings-source.js";

const { folders: _, ...others } = Type.Partial(Configuration).properties;

/** The schema of the configuration file for editors: all settings, all optional. */
export const ConfigurationFile = withLiveTold(
  Type.Object(
    {
      $schema: Type.Optional(Type.String({ description: "Address or path of this schema, for editors." })),
      ...others,
      folders: Type.Optional(Type.Partial(FoldersConfiguration)),
    },
    {
      title: "Configuration of a Slipway host",
      description: "The file config/slipway.json, or the one that --config or SLIPWAY_CONFIG names.",
      additionalProperties: false,
    },
  ),
  false,
);

/** A copy whose descriptions mention settings that need no restart. */
function withLiveTold(schema: unknown, isLiveAbove: boolean): unknown {
  if (!isSettings(schema)) return schema;
  const { live, secret: _, ...rest } = schema;
  const isLiveHere = isLiveAbove || live === true;
  const members = rest["properties"];
  if (isSettings(members)) {
    const told = Object.entries(members).map(([name, member]) => [name, withLiveTold(member, isLiveHere)]);
    return { ...rest, properties: Object.fromEntries(told) };
  }
  const { description } = rest;
  if (!isLiveHere || typeof description !== "string") return rest;
  return { ...rest, description: `${description} In force without a restart.` };
}
