/** What lies beside the bundle of a snapshot, so that it can run when its source is gone. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type, Validator } from "@slipway/sdk";
import { errorCode } from "../../system/errors.js";
import { contentHash, type Input, sourceHash } from "../packages/content-hash.js";
import { Manifest } from "../packages/manifest.js";
import { bundleFormat } from "./bundle.js";
import type { Snapshot, SnapshotReference } from "./snapshot.js";

/** Grows with every change that an older or newer host could not read. */
export const snapshotFormat = 2;

const { aliases, smoke } = Manifest.properties.slipway.properties;

export const SnapshotRecord = Type.Object({
  format: Type.Literal(snapshotFormat),
  name: Type.String(),
  version: Type.String(),
  hash: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  aliases,
  engines: Type.String(),
  defaults: Type.Record(Type.String(), Type.Unknown()),
  smoke,
  signedBy: Type.Optional(Type.String()),
  signingKey: Type.Optional(Type.String()),
  bundle: Type.String({ description: "SHA-256 of the bundle." }),
  inputs: Type.Array(Type.Object({ path: Type.String(), sha256: Type.String() })),
});
export type SnapshotRecord = Static<typeof SnapshotRecord>;

export const bundleName = "plugin.mjs";
export const recordName = "snapshot.json";

/** The name of a snapshot's folder below that of its plugin. */
export function folderName({ version, hash }: SnapshotReference): string {
  return `${version}-${hash.slice(0, 16)}`;
}

/** The record of a folder; undefined when it is half-written, of another format, or none at all. */
export async function readRecord(folder: string): Promise<SnapshotRecord | undefined> {
  try {
    const result = checkRecord(JSON.parse(await readFile(join(folder, recordName), "utf8")));
    return result.ok ? result.value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether nobody can use a snapshot's folder any more: half-written, or of an older format. What a newer host made, and
 * what cannot be read for the moment, is left alone.
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

/** The record of a plugin version; `bundle` is the SHA-256 of its bundle. */
export function newRecord(
  { version, engines, slipway }: Manifest,
  { defaults, signedBy, signingKey }: Pick<Snapshot, "defaults" | "signedBy" | "signingKey">,
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
    ...(signedBy === undefined ? {} : { signedBy }),
    ...(signingKey === undefined ? {} : { signingKey }),
    bundle,
    inputs: [...inputs],
  };
}

/** What the record of a folder says. */
export function snapshotOf(folder: string, record: SnapshotRecord): Snapshot {
  const { name, version, hash, engines, defaults, signedBy, signingKey } = record;
  return {
    name,
    version,
    hash,
    source: sourceHash(record.inputs),
    aliases: record.aliases,
    engines,
    defaults,
    smoke: record.smoke,
    signedBy,
    signingKey,
    folder,
    entry: join(folder, bundleName),
  };
}

export function recordText(record: SnapshotRecord): string {
  return `${JSON.stringify(record, undefined, 2)}\n`;
}

const validator = new Validator({ lazy: true });
const checkRecord = validator.compile(SnapshotRecord, recordName);
const checkFormat = validator.compile(Type.Object({ format: Type.Integer() }), recordName);
