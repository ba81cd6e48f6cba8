/** The plugin versions that hosts give to each other, as archives. */
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { Journal } from "../../observability/events/plugin-event.js";
import { Turns } from "../../system/concurrency.js";
import { makeFolder } from "../../system/durable-files.js";
import { Rejection } from "../../system/errors.js";
import type { AgreedVersion, Agreement, Candidate, PluginDeployment } from "../deployment/deployment.js";
import { archiveLimits } from "../packages/packages.js";
import { sha256 } from "../plugin-files.js";
import { BufferedJournal, StateRecord } from "../plugin-state.js";
import type { Snapshot, Snapshots } from "../snapshots/snapshots.js";
import type { PluginShelf } from "./fleet-contract.js";

export interface SharedContentsOptions {
  shelf: PluginShelf;
  snapshots: Snapshots;
  /** For archives of other hosts. */
  folder: string;
  configuration: Pick<PluginsConfiguration, "archives">;
  journal: Journal;
  log: Log;
}

export class SharedContents {
  private readonly fetching = new Set<string>();
  private readonly fetches = new Turns();

  constructor(private readonly options: SharedContentsOptions) {}

  /** Archives that are being unpacked. */
  get archives(): string[] {
    return [...this.fetching];
  }

  /** The source to show for versions of other hosts. */
  sourceOf(name: string): string {
    return join(this.options.folder, name);
  }

  /** Gives a version of this host to the others. Throws a `Rejection` when its source has changed. */
  async put(name: string, { snapshot, source }: Candidate): Promise<void> {
    const { shelf, snapshots } = this.options;
    // It came from the shelf.
    if (source === this.sourceOf(name)) return;
    await shelf.put(name, snapshot.sourceHash, () => snapshots.staging.archiveOf(source, snapshot));
  }

  /** The version on this host; fetched from the others if needed. Rejects with the reason when no host has it. */
  async present(deployment: PluginDeployment, content: AgreedVersion): Promise<Candidate> {
    const known = deployment.candidates.find(content.source);
    if (known !== undefined) return known;
    await this.fetches.take(content.source, () => this.fetch(deployment, content));
    const fetched = deployment.candidates.find(content.source);
    if (fetched === undefined) throw new Rejection(`${deployment.name} ${content.version} is not there`);
    return fetched;
  }

  private async fetch(deployment: PluginDeployment, content: AgreedVersion): Promise<void> {
    const { name } = deployment;
    const { version, source } = content;
    if (deployment.candidates.find(source) !== undefined) return;
    const { shelf, folder, configuration, snapshots } = this.options;
    const archive = await shelf.get(name, source);
    if (archive === undefined) throw new Rejection(`the hosts have no archive of ${name} ${version}`);
    const file = join(folder, `${sha256(`${name} ${source}`)}.archive`);
    this.fetching.add(file);
    try {
      const most = archiveLimits(configuration.archives).bytes;
      const snapshot = await withArchiveFile(file, folder, archive, most, () => this.stage(file, name));
      if (snapshot.name !== name || snapshot.version !== version || snapshot.sourceHash !== source)
        throw new Rejection(`the archive that the hosts have is not that of ${name} ${version}`);
      snapshots.add(snapshot);
    } finally {
      this.fetching.delete(file);
    }
  }

  /** Verifies by the trust of this host, and bundles. */
  private async stage(file: string, name: string): Promise<Snapshot> {
    const { snapshots, journal } = this.options;
    const { staging } = snapshots;
    const folder = await staging.unpack(file);
    return await staging.stage(folder, new StateRecord(this.sourceOf(name), new BufferedJournal(journal)));
  }

  /** Fetches the versions to which an admin may roll back, and those of other hosts. */
  async fetchOthers(deployment: PluginDeployment, agreement: Agreement, signal: AbortSignal): Promise<void> {
    const kept = agreement.standing.kept.map(({ version, hash }) => ({ version, source: hash }));
    for (const content of [...agreement.contents, ...kept]) {
      if (signal.aborted) return;
      await this.present(deployment, content).catch((error: unknown) => {
        this.options.log.debug("A version of a plugin could not be fetched from the other hosts", {
          plugin: `${deployment.name}@${content.version}`,
          error,
        });
      });
    }
  }
}

/** Writes an archive to a file for the duration of `use`. Throws a `Rejection` beyond `most` bytes. */
async function withArchiveFile<T>(
  file: string,
  folder: string,
  archive: AsyncIterable<Uint8Array>,
  most: number,
  use: () => Promise<T>,
): Promise<T> {
  await makeFolder(folder);
  try {
    const handle = await open(file, "w");
    try {
      let bytes = 0;
      for await (const piece of archive) {
        bytes += piece.length;
        if (bytes > most) throw new Rejection("its archive is larger than plugins.archives.bytes allows");
        await handle.appendFile(piece);
      }
    } finally {
      await handle.close();
    }
    return await use();
  } finally {
    await rm(file, { force: true });
  }
}
