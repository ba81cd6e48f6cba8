import { checked, type Static, Type, Validator } from "@slipway/sdk";

/** What a plugin's package.json says of it to people. */
export const PluginDescription = Type.Object({
  description: Type.Optional(Type.String()),
  license: Type.Optional(Type.String()),
});
export type PluginDescription = Static<typeof PluginDescription>;

const check = new Validator({ lazy: true }).compile(PluginDescription, "package.json");

/** Reads it from the content of a package.json that is known to be a manifest. */
export function pluginDescription(content: Buffer): PluginDescription {
  const { description, license } = checked(check(JSON.parse(content.toString("utf8"))), "The package.json");
  return {
    ...(description === undefined ? {} : { description }),
    ...(license === undefined ? {} : { license }),
  };
}
