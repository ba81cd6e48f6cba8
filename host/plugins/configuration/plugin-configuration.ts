/** The configuration of one plugin, as admins see and change it. */
import { type Static, Type } from "@slipway/sdk";

const Settings = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const Pointer = { description: "JSON Pointer (RFC 6901)." };

/** The configuration of a plugin with its parts; secrets are left out of all of them. */
export const PluginConfiguration = Type.Object(
  {
    plugin: Type.String({ description: "Public name." }),
    version: Type.String({ description: "The version whose schema and defaults these are." }),
    revision: Type.Integer({
      minimum: 0,
      description: "Of what is saved; a change has to name it. 0: nothing was saved yet.",
    }),
    schema: Type.Record(Type.String(), Type.Unknown(), { description: "JSON Schema of the configuration." }),
    defaults: Settings("The plugin's own default configuration."),
    saved: Settings("A merge patch (RFC 7396) over the defaults: what was saved through this interface."),
    values: Settings(
      "What the plugin gets: defaults, saved changes, the host's configuration, and the schema's defaults.",
    ),
    fixed: Type.Array(Type.String(Pointer), {
      description: "Members that the host's configuration states; changes here would have no effect.",
    }),
    secrets: Type.Array(
      Type.Object({
        path: Type.String(Pointer),
        isSet: Type.Boolean({ description: "Whether the plugin gets a value." }),
        isSaved: Type.Boolean({ description: "Whether the value is a saved one." }),
      }),
    ),
  },
  { title: "PluginConfiguration" },
);
export type PluginConfiguration = Static<typeof PluginConfiguration>;

/** A change of what is saved for a plugin. */
export const ConfigurationChange = Type.Object(
  {
    revision: Type.Integer({ minimum: 0, description: "The one that the change was made from." }),
    configuration: Type.Record(Type.String(), Type.Unknown(), {
      description:
        "Replaces what is saved: a merge patch over the plugin's defaults, in which null removes a member. An absent secret stays as it is, and null removes the saved one.",
    }),
  },
  { additionalProperties: false },
);
export type ConfigurationChange = Static<typeof ConfigurationChange>;

/** A change with its plugin and its author. */
export interface ConfigurationRequest extends ConfigurationChange {
  /** Public name or alias. */
  plugin: string;
  /** For the event log. */
  actor: string;
}
