import { createHash } from "node:crypto";
import { anyVersion } from "../../configuration/plugins-configuration.js";
import { type RouteTable, releaseNamed } from "../../plugins/routes/routes.js";
import { hostVersion } from "../../system/installation.js";
import type { OperationFacts } from "../operation.js";
import { DocumentParts } from "./document-parts.js";
import { addHostPaths } from "./host-paths.js";
import { addPluginPaths, addPluginTags, type PluginPlace } from "./plugin-paths.js";
import type { Json } from "./schema-components.js";

/** The scope of a document; both members together select one plugin of one release. */
interface DocumentSelection {
  /** Only plugins under its path prefix, and the host's own operations. */
  release?: string | undefined;
  /** Only this plugin, by name or alias, without the host's operations. */
  plugin?: string | undefined;
}

/** The sources of a document. */
export interface DocumentSource {
  /** Version of the host. */
  version: string;
  operations: readonly OperationFacts[];
  table: RouteTable;
}

/** The OpenAPI 3.1 description of host and plugins; undefined for an unknown release or plugin. */
function openApiDocument(source: DocumentSource, selection: DocumentSelection): Json | undefined {
  const { version, operations, table } = source;
  const { release, plugin } = selection;
  if (release !== undefined && !table.releases.has(release)) return undefined;
  const places = pluginPlaces(table, release).filter(({ plugin: { name, aliases } }) =>
    plugin === undefined ? true : name === plugin || aliases.includes(plugin),
  );
  if (plugin !== undefined && places.length === 0) return undefined;
  const parts = new DocumentParts();
  if (plugin === undefined) addHostPaths(parts, operations);
  addPluginTags(parts, places);
  for (const place of places) addPluginPaths(parts, place);
  return {
    openapi: "3.1.0",
    info: {
      title: "Slipway",
      version,
      summary: "Sessions, reports, order exports, and the host that serves them.",
      description: description(table),
      "x-slipway": {
        releases: [...table.releases.keys()],
        releaseAliases: Object.fromEntries(table.releaseAliases),
        defaultRelease: table.defaultRelease,
      },
    },
    // Relative to the document's URL, to keep the path prefix of a proxy.
    servers: [{ url: "." }],
    ...parts.members(),
  };
}

/** The default release comes first, so that its schema names have no suffix; it is also listed without a prefix. */
function pluginPlaces(table: RouteTable, only: string | undefined): PluginPlace[] {
  const names = [...table.releases.keys()].filter((name) => only === undefined || name === only);
  const own = names.filter((name) => name === table.defaultRelease);
  const others = names.filter((name) => name !== table.defaultRelease);
  const placesOf = (name: string, release: string | undefined): PluginPlace[] => {
    const isDeprecated = "Deprecation" in (table.headers.get(name) ?? {});
    const plugins = new Set(table.releases.get(name)?.values() ?? []);
    return [...plugins].map((plugin) => ({ plugin, release, isDeprecated }));
  };
  return [
    ...(only === undefined ? own.flatMap((name) => placesOf(name, undefined)) : []),
    ...[...own, ...others].flatMap((name) => placesOf(name, name)),
  ];
}

function description({ releases, releaseAliases, defaultRelease }: RouteTable): string {
  const names = [...releases.keys()].map((name) => `\`${name}\``).join(", ");
  const aliases = [...releaseAliases].map(([alias, release]) => {
    const prefix = alias === anyVersion ? "Every other version as prefix" : `The prefix \`${alias}\``;
    return `${prefix} means release \`${release}\`.`;
  });
  return [
    `Plugins answer under the prefix of a release (${names}), and those of release \`${defaultRelease}\` also without one.`,
    ...aliases,
    "The aliases of a plugin, listed in its tag, work in place of its name.",
    "Every error is an error object with a stable `id`.",
  ].join(" ");
}

/** A serialised document. */
export interface ServedDocument {
  json: Buffer;
  etag: string;
}

/** Caches the documents per route table. */
export class Documents {
  private readonly made = new WeakMap<RouteTable, Map<string, ServedDocument>>();

  constructor(
    private readonly operations: () => readonly OperationFacts[],
    private readonly table: () => RouteTable,
  ) {}

  /** The document for the current route table; undefined for an unknown release or plugin. */
  get({ release, plugin }: DocumentSelection): ServedDocument | undefined {
    const table = this.table();
    // An alias shares the document of its release.
    const named = release === undefined ? undefined : releaseNamed(table, release);
    const selection = { release: named ?? release, plugin };
    const ofTable = this.made.get(table) ?? new Map<string, ServedDocument>();
    this.made.set(table, ofTable);
    const key = JSON.stringify([selection.release, selection.plugin]);
    const known = ofTable.get(key);
    if (known !== undefined) return known;
    const source = { version: hostVersion, operations: this.operations(), table };
    const document = openApiDocument(source, selection);
    if (document === undefined) return undefined;
    const json = Buffer.from(JSON.stringify(document));
    const served = { json, etag: createHash("sha256").update(json).digest("base64url").slice(0, 27) };
    ofTable.set(key, served);
    return served;
  }
}
