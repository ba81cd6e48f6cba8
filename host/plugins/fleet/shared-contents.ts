/** The contents of plugins that hosts give to each other. */
import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import type { Journal } from "../../observability/events/plugin-event.js";
import { Turns } from "../../system/concurrency.js";
import { Rejection } from "../../system/errors.js";
import type { Candidate } from "../deployment/candidates.js";
import type { AgreedContent, Line } from "../deployment/line.js";
import type { PluginDeployment } from "../deployment/plugin-deployment.js";
import { sha256 } from "../packages/plugin-files.js";
import { archiveLimits } from "../packages/unpack-archive.js";
import { BufferedJournal, StateRecord } from "../plugin-state.js";
import type { KnownSnapshots } from "../snapshots/known-snapshots.js";
import type { Snapshot } from "../snapshots/snapshot.js";
import type { Staging } from "../sources/staging.js";
import { archiveOf, withArchiveFile } from "./shelved-archive.js";
import type { PluginShelf } from "./switch-store.js";

export interface SharedContentsOptions {
  shelf: PluginShelf;
  staging: Staging;
  snapshots: KnownSnapshots;
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

  /** Where what other hosts have brought is said to lie. */
  placeOf(name: string): string {
    return join(this.options.folder, name);
  }

  /** Gives a content of this host to the others. Rejects with a `Rejection` when it has changed. */
  async put(name: string, { snapshot, source: place }: Candidate): Promise<void> {
    const { shelf, staging } = this.options;
    // What came from the shelf is there.
    if (place === this.placeOf(name)) return;
    await shelf.put(name, snapshot.sourceHash, () => archiveOf(place, snapshot, staging));
  }

  /** The content on this host; fetched from the others where it is not here. Rejects with the reason when there is none. */
  async present(deployment: PluginDeployment, name: string, content: AgreedContent): Promise<Candidate> {
    const known = deployment.selection.find(content.source);
    if (known !== undefined) return known;
    await this.fetches.take(content.source, () => this.fetch(deployment, name, content));
    const fetched = deployment.selection.find(content.source);
    if (fetched === undefined) throw new Rejection(`${name} ${content.version} is not there`);
    return fetched;
  }

  private async fetch(deployment: PluginDeployment, name: string, content: AgreedContent): Promise<void> {
    const { version, source } = content;
    if (deployment.selection.find(source) !== undefined) return;
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
    const { staging, journal } = this.options;
    const folder = await staging.unpack(file);
    const { waiting } = await staging.completeness(folder);
    if (waiting !== undefined) throw new Rejection(`the archive is not complete: ${waiting}`);
    return await staging.stage(folder, new StateRecord(this.placeOf(name), new BufferedJournal(journal)));
  }

  /** What an admin may want to go back to, and what the others hold. */
  async fetchOthers(
    deployment: PluginDeployment,
    name: string,
    line: Line,
    signal: AbortSignal,
  ): Promise<void> {
    const kept = line.standing.kept.map(({ version, hash }) => ({ version, source: hash }));
    for (const content of [...line.contents, ...kept]) {
      if (signal.aborted) return;
      await this.present(deployment, name, content).catch((error: unknown) => {
        this.options.log.debug("A version of a plugin could not be fetched from the other hosts", {
          plugin: `${name}@${content.version}`,
          error,
        });
      });
    }
  }
}
