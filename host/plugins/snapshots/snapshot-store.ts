import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, readlink, rename, rm, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Static, Type, Validator } from "@slipway/sdk";
import { writeSynced } from "../../durable-files.js";
import { bundleFormat, bundlePlugin } from "../intake/bundle.js";
import { contentHash, hashInputs, type Input, sha256 } from "../intake/content-hash.js";
import type { Manifest } from "../intake/manifest.js";

/** The immutable copy of one plugin version that runs. */
export interface Snapshot {
  name: string;
  version: string;
  /** Of everything that the version consists of. */
  hash: string;
  folder: string;
  /** The bundle. */
  entry: string;
}

const SnapshotRecord = Type.Object({
  hash: Type.String(),
  bundle: Type.String({ description: "SHA-256 of the bundle." }),
  inputs: Type.Array(Type.Object({ path: Type.String(), sha256: Type.String() })),
});
type SnapshotRecord = Static<typeof SnapshotRecord>;

const checkRecord = new Validator().compile(SnapshotRecord, "snapshot.json");

const bundleName = "plugin.mjs";
const recordName = "snapshot.json";

/** Snapshots below one folder, as `<name>/<version>-<hash>/`; what is there is complete and never changes. */
export class SnapshotStore {
  constructor(
    private readonly folder: string,
    private readonly sdkDirectory: string,
  ) {}

  /** Makes the SDK of this host the one that every snapshot imports. */
  async open(): Promise<void> {
    const scope = join(this.folder, "node_modules", "@slipway");
    await mkdir(scope, { recursive: true });
    const link = join(scope, "sdk");
    const target = resolve(this.sdkDirectory);
    if ((await readlink(link).catch(() => undefined)) === target) return;
    const temporary = join(scope, `.${randomUUID()}`);
    await symlink(target, temporary, "junction");
    await rename(temporary, link);
  }

  /** The snapshot of a plugin folder as it is now; made when there is none yet. Throws a `Rejection`. */
  async stage(source: string, manifest: Manifest): Promise<Snapshot> {
    const known = await this.reusable(source, manifest);
    if (known !== undefined) return known;
    const bundle = await bundlePlugin(source, manifest.slipway.entry);
    const inputs = await hashInputs(source, [...bundle.inputs, ...ownFiles(manifest)]);
    const hash = contentHash(bundleFormat, inputs);
    const snapshot = this.snapshot(manifest, hash);
    if (!(await isIntact(snapshot))) await this.write(snapshot, bundle.code, inputs);
    return snapshot;
  }

  /** A snapshot whose files are still what they were; saves the bundling, so that a second start is quick. */
  private async reusable(source: string, manifest: Manifest): Promise<Snapshot | undefined> {
    const folder = join(this.folder, manifest.slipway.plugin);
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(`${manifest.version}-`))) {
      const record = await readRecord(join(folder, name));
      if (record === undefined) continue;
      const snapshot = this.snapshot(manifest, record.hash);
      if (snapshot.folder !== join(folder, name)) continue;
      const now = await hashInputs(source, [
        ...record.inputs.map(({ path }) => path),
        ...ownFiles(manifest),
      ]).catch(() => undefined);
      if (now !== undefined && contentHash(bundleFormat, now) === record.hash && (await isIntact(snapshot))) {
        return snapshot;
      }
    }
    return undefined;
  }

  private snapshot({ version, slipway }: Manifest, hash: string): Snapshot {
    const folder = join(this.folder, slipway.plugin, `${version}-${hash.slice(0, 16)}`);
    return { name: slipway.plugin, version, hash, folder, entry: join(folder, bundleName) };
  }

  /** Complete or not at all: written aside, on disk before it gets its name. */
  private async write(snapshot: Snapshot, code: string, inputs: Input[]): Promise<void> {
    const temporary = join(this.folder, snapshot.name, `.${randomUUID()}`);
    const record: SnapshotRecord = { hash: snapshot.hash, bundle: sha256(code), inputs };
    await mkdir(temporary, { recursive: true });
    try {
      await writeSynced(join(temporary, bundleName), code);
      await writeSynced(join(temporary, recordName), `${JSON.stringify(record, undefined, 2)}\n`);
      await rm(snapshot.folder, { recursive: true, force: true });
      await rename(temporary, snapshot.folder);
    } catch (error) {
      await rm(temporary, { recursive: true, force: true });
      // Another host with the same folder may have been quicker.
      if (!(await isIntact(snapshot))) throw error;
    }
  }
}

/** Files that count beside those that the bundle is made of. */
function ownFiles({ slipway }: Manifest): string[] {
  return slipway.config === undefined ? ["package.json"] : ["package.json", slipway.config];
}

async function isIntact({ folder, entry, hash }: Snapshot): Promise<boolean> {
  const record = await readRecord(folder);
  const code = await readFile(entry).catch(() => undefined);
  return record?.hash === hash && code !== undefined && sha256(code) === record.bundle;
}

async function readRecord(folder: string): Promise<SnapshotRecord | undefined> {
  try {
    const result = checkRecord(JSON.parse(await readFile(join(folder, recordName), "utf8")));
    return result.ok ? result.value : undefined;
  } catch {
    // Half-written or foreign: the same as none.
    return undefined;
  }
}
