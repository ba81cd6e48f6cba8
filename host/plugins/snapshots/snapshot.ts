import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type, Validator } from "@slipway/sdk";
import { errorCode } from "../../system/errors.js";
import { hostCheck } from "../../system/host-check.js";
import { bundleFormat, Manifest, type StartRequest } from "../packages/packages.js";
import { contentHash, type Input, sourceHash } from "../plugin-files.js";
import { PluginAsset } from "../plugin-state.js";

/** Identifies the content of one plugin version. */
export interface SnapshotReference {
  readonly name: string;
  readonly version: string;
  /** SHA-256 of all inputs of the version, hexadecimal; of remembered ones, that of the plugin's own files. */
  readonly hash: string;
}

/** The immutable copy of one plugin version that runs; its members are stored with it. */
export interface Snapshot extends SnapshotReference {
  /** SHA-256 of the plugin's own files, without bundled packages of the host. */
  readonly sourceHash: string;
  readonly aliases: readonly string[];
  /** Range of the SDK that it was built for. */
  readonly engines: string;
  /** The plugin's own default configuration. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Requests that it must answer before it goes live. */
  readonly smoke: readonly StartRequest[];
  /** Requests that it gets after those. */
  readonly warmUp: readonly StartRequest[];
  /** Sorted by path. */
  readonly assets: readonly PluginAsset[];
  /** The folder of its templates, below that of the assets; undefined without any. */
  readonly templates: string | undefined;
  /** Name of the trusted key that signed it. */
  readonly signedBy: string | undefined;
  /** Fingerprint of that key. */
  readonly signingKey: string | undefined;
  readonly folder: string;
  /** The bundle. */
  readonly entry: string;
  /** The copies of the assets, by their paths. */
  readonly assetFolder: string;
}

/** Whether two references name the same content. */
export function isSame(one: SnapshotReference, other: SnapshotReference): boolean {
  return one.name === other.name && one.version === other.version && one.hash === other.hash;
}

/** Whether content and signature are the same. */
export function isSameSigned(one: Snapshot, other: Snapshot): boolean {
  return isSame(one, other) && one.signedBy === other.signedBy && one.signingKey === other.signingKey;
}

/** Incremented with every change that another host version could not read. */
const snapshotFormat = 2;

const { aliases, smoke, warmUp } = Manifest.properties.slipway.properties;

export const SnapshotRecord = Type.Object({
  format: Type.Literal(snapshotFormat),
  name: Type.String(),
  version: Type.String(),
  hash: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  aliases,
  engines: Type.String(),
  defaults: Type.Record(Type.String(), Type.Unknown()),
  smoke,
  warmUp,
  signedBy: Type.Optional(Type.String()),
  signingKey: Type.Optional(Type.String()),
  bundle: Type.String({ description: "SHA-256 of the bundle." }),
  inputs: Type.Array(Type.Object({ path: Type.String(), sha256: Type.String() })),
  assets: Type.Array(PluginAsset, { default: [] }),
  templates: Type.Optional(Type.String()),
});
export type SnapshotRecord = Static<typeof SnapshotRecord>;

export const bundleName = "plugin.mjs";
export const recordName = "snapshot.json";
export const assetFolderName = "assets";

/** The name of a snapshot folder below the folder of its plugin. */
export function folderName({ version, hash }: SnapshotReference): string {
  return `${version}-${hash.slice(0, 16)}`;
}

/** The record of a folder; undefined when it is incomplete, in another format, or missing. */
export async function readRecord(folder: string): Promise<SnapshotRecord | undefined> {
  try {
    const result = checkRecord(JSON.parse(await readFile(join(folder, recordName), "utf8")));
    return result.ok ? result.value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a snapshot folder is incomplete or in an older format. Folders of a newer host, and unreadable ones, do not
 * count.
 */
export async function isLeftover(folder: string): Promise<boolean> {
  if (!/-[0-9a-f]{16}$/.test(folder)) return false;
  try {
    const content: unknown = JSON.parse(await readFile(join(folder, recordName), "utf8"));
    const format = checkFormat(content);
    if (format.ok && format.value.format > snapshotFormat) return false;
    return !checkRecord(content).ok;
  } catch (error) {
    return error instanceof SyntaxError || errorCode(error) === "ENOENT";
  }
}

/** Creates the record of a plugin version; `bundle` is the SHA-256 of its bundle. */
export function newRecord(
  { version, engines, slipway }: Manifest,
  {
    defaults,
    signedBy,
    signingKey,
    assets,
  }: Pick<Snapshot, "defaults" | "signedBy" | "signingKey" | "assets">,
  inputs: readonly Input[],
  bundle: string,
): SnapshotRecord {
  return {
    format: snapshotFormat,
    name: slipway.plugin,
    version,
    hash: contentHash(bundleFormat, inputs),
    aliases: slipway.aliases,
    engines: engines.slipway,
    defaults,
    smoke: slipway.smoke,
    ...(slipway.warmUp === undefined ? {} : { warmUp: slipway.warmUp }),
    ...(signedBy === undefined ? {} : { signedBy }),
    ...(signingKey === undefined ? {} : { signingKey }),
    bundle,
    inputs: [...inputs],
    assets: [...assets],
    ...(slipway.templates === undefined ? {} : { templates: slipway.templates }),
  };
}

/** The snapshot for a record in a folder. */
export function snapshotOf(folder: string, record: SnapshotRecord): Snapshot {
  const { format: _, bundle: __, inputs, ...members } = record;
  return {
    ...members,
    sourceHash: sourceHash(inputs),
    warmUp: record.warmUp ?? [],
    templates: record.templates,
    signedBy: record.signedBy,
    signingKey: record.signingKey,
    folder,
    entry: join(folder, bundleName),
    assetFolder: join(folder, assetFolderName),
  };
}

export function recordText(record: SnapshotRecord): string {
  return `${JSON.stringify(record, undefined, 2)}\n`;
}

const validator = new Validator({ lazy: true });
const checkRecord = hostCheck<typeof SnapshotRecord>(recordName, "snapshot-record");
const checkFormat = validator.compile(Type.Object({ format: Type.Integer() }), recordName);
