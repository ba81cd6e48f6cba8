/**
 * Configurations of plugins: what a version gets when it starts, and what admins see and change while the host runs.
 *
 * Goes in: the default configuration of a snapshot, what admins save, the host's own configuration (`plugins.config`), and
 * the schemas that versions report at their start. Comes out: the merged settings of a version, and the view for admins,
 * without secrets.
 *
 * Owns `var/plugin-configuration`. `deployment` decides when a change is in force, because versions have to start with it.
 */
import { isDeepStrictEqual } from "node:util";
import {
  badRequest,
  type Log,
  type Static,
  shortened,
  type TSchema,
  Type,
  type Violation,
} from "@slipway/sdk";
import { checkedConfig } from "@slipway/sdk/runtime/host";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { isJsonObject, type JsonPath, jsonPointer, valueAt } from "../../system/json.js";
import type { Snapshot } from "../snapshots/snapshots.js";
import { hostSettings, type Settings, settingsOf } from "./plugin-settings.js";
import { type SavedConfiguration, SavedConfigurations } from "./saved-configurations.js";
import { secretPaths, without, withoutSecretTexts, withSavedSecrets } from "./secrets.js";

export type { Settings } from "./plugin-settings.js";

const SettingsSchema = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
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
    defaults: SettingsSchema("The plugin's own default configuration."),
    saved: SettingsSchema(
      "A merge patch (RFC 7396) over the defaults: what was saved through this interface.",
    ),
    values: SettingsSchema(
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

/** Schemas of versions that started, or failed to, since the host runs; the oldest ones are forgotten. */
const mostSchemas = 1000;

/** The configurations of all plugins: their layers, and the schemas that their versions have reported. */
export class PluginConfigurations {
  /** By hash of the version's content. */
  private readonly schemas = new Map<string, TSchema>();
  /** Changes that are being tried, by plugin. */
  private readonly tried = new Map<string, Settings>();

  private constructor(
    private readonly files: SavedConfigurations,
    private readonly configuration: Pick<PluginsConfiguration, "config">,
    private readonly concealed: Settings,
  ) {}

  /** Reads what is saved in a folder. `concealed`: settings of the host whose values are never shown. */
  static async open(
    folder: string,
    configuration: Pick<PluginsConfiguration, "config">,
    log: Log,
    concealed: Settings = {},
  ): Promise<PluginConfigurations> {
    return new PluginConfigurations(await SavedConfigurations.open(folder, log), configuration, concealed);
  }

  /** What a version gets when it starts now, before the defaults of its schema. */
  settingsOf(snapshot: Snapshot): Record<string, unknown> {
    const changes = this.tried.get(snapshot.name) ?? this.saved(snapshot.name).configuration;
    return settingsOf(snapshot, this.configuration.config, changes);
  }

  /** What is saved for a plugin. */
  saved(plugin: string): SavedConfiguration {
    return this.files.get(plugin);
  }

  /** Resolves when it is on disk. Rejects with 503 `request-overloaded` if the disk does not take it. */
  async save(plugin: string, saved: SavedConfiguration): Promise<void> {
    await this.files.set(plugin, saved);
  }

  /** Runs a task during which versions of a plugin start with other changes than the saved ones. */
  async trying<T>(plugin: string, changes: Settings, task: () => Promise<T>): Promise<T> {
    this.tried.set(plugin, changes);
    try {
      return await task();
    } finally {
      this.tried.delete(plugin);
    }
  }

  /** Remembers the schema that a version has reported. */
  noteSchema({ hash }: Snapshot, schema: TSchema): void {
    this.schemas.delete(hash);
    this.schemas.set(hash, schema);
    const [oldest] = this.schemas.keys();
    if (this.schemas.size > mostSchemas && oldest !== undefined) this.schemas.delete(oldest);
  }

  /** The schema of a version that has started, or failed to start with it. */
  schemaOf({ hash }: Snapshot): TSchema | undefined {
    return this.schemas.get(hash);
  }

  /** The configuration of a version for admins. */
  shown(snapshot: Snapshot, schema: TSchema): PluginConfiguration {
    const { name: plugin, version, defaults } = snapshot;
    const { revision, configuration: saved } = this.saved(plugin);
    const own = hostSettings(snapshot, this.configuration.config);
    const values = completed(schema, settingsOf(snapshot, this.configuration.config, saved));
    const marked = secretPaths(schema, [defaults, saved, own, values]);
    const others = this.concealedPaths(snapshot).filter((path) => !marked.some(isAtOrAbove(path)));
    const secrets = [...marked, ...others];
    return {
      plugin,
      version,
      revision,
      schema: { ...schema },
      defaults: without(defaults, secrets),
      saved: without(saved, secrets),
      values: without(values, secrets),
      fixed: leaves(own, []).map(jsonPointer),
      secrets: secrets.map((path) => ({
        path: jsonPointer(path),
        isSet: isValue(valueAt(values, path)),
        isSaved: isValue(valueAt(saved, path)),
      })),
    };
  }

  /** Members that the host's configuration takes from files with secrets. */
  private concealedPaths({ name, aliases }: Snapshot): JsonPath[] {
    const plugins = valueAt(this.concealed, ["plugins", "config"]);
    return [name, ...aliases].flatMap((each) => {
      const settings = valueAt(plugins, [each]);
      return settings === undefined ? [] : leaves(settings, []);
    });
  }

  /** What is saved after a change: with the saved secrets that the change leaves out, for each of the schemas. */
  changed(plugin: string, change: Settings, schemas: readonly TSchema[]): Settings {
    const { configuration: saved } = this.saved(plugin);
    const secrets = schemas.flatMap((schema) => secretPaths(schema, [change, saved]));
    return withSavedSecrets(change, saved, secrets);
  }

  /** A text without the secrets of changes, which a plugin may repeat in a message. */
  withoutSecrets(text: string, changes: Settings, schemas: readonly TSchema[]): string {
    const paths = schemas.flatMap((schema) => secretPaths(schema, [changes]));
    return withoutSecretTexts(
      text,
      paths.map((path) => valueAt(changes, path)),
    );
  }

  /**
   * Throws 400 `request-bad-request` for changes of members that the host's configuration states, and for changes that
   * the schema of a version does not accept.
   */
  check(snapshot: Snapshot, schema: TSchema, changes: Settings): void {
    const { configuration: saved } = this.saved(snapshot.name);
    const { config } = this.configuration;
    const fixed = leaves(hostSettings(snapshot, config), []).filter(
      (path) =>
        valueAt(changes, path) !== undefined &&
        !isDeepStrictEqual(valueAt(changes, path), valueAt(saved, path)),
    );
    if (fixed.length > 0) {
      const names = fixed.map((path) => path.join(".")).join(", ");
      const message = `The host's own configuration sets ${shortened(names, 150)} of ${snapshot.name}; change the value there.`;
      throw badRequest({ message }, fixed.map(fixedMember));
    }
    // Filled in with defaults, which must not get into its layers.
    const settings = structuredClone(settingsOf(snapshot, config, changes));
    const result = checkedConfig(schema, settings);
    if (!result.ok) throw badRequest(notValid(snapshot), result.violations);
  }
}

function notValid({ name, version }: Snapshot): string {
  return `The configuration of ${name} ${version} is not valid`;
}

function fixedMember(path: JsonPath): Violation {
  return {
    path: ["config", ...path].join("."),
    expected: "no value, because the host's configuration states one",
    received: "a value",
  };
}

/** The settings with the defaults of the schema; without these where the settings do not fit it. */
function completed(schema: TSchema, settings: Record<string, unknown>): Settings {
  const given = structuredClone(settings);
  try {
    const result = checkedConfig(schema, given);
    return result.ok && isJsonObject(result.value) ? result.value : given;
  } catch {
    // A schema that cannot be compiled: the start of the version has failed with the reason.
    return settings;
  }
}

/** The paths of values that are no objects. */
function leaves(value: unknown, path: JsonPath): JsonPath[] {
  if (!isJsonObject(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]));
}

function isAtOrAbove(path: JsonPath): (other: JsonPath) => boolean {
  return (other) => other.every((name, index) => path[index] === name);
}

function isValue(value: unknown): boolean {
  return value !== undefined && value !== null;
}
