/**
 * Installation: puts plugins of admins into a drop-in folder.
 *
 * Goes in: an archive that a client sends. Comes out: the state of the plugin once it serves, stands by or is refused. From
 * the drop-in folder on, it takes the way of any other source.
 *
 * Owns the unfinished files in the drop-in folder, which sources ignore, and the names of uploaded archives. Removes a
 * refused archive, so that a corrected one can have the same version.
 */
import { randomUUID } from "node:crypto";
import { link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Log, RequestError } from "@slipway/sdk";
import { isIgnored } from "@slipway/sdk/runtime/host";
import type { PluginsConfiguration } from "../../configuration/plugins-configuration.js";
import { archiveFormat } from "../../system/archives/archive-format.js";
import { isThere, syncFolder, unfinished } from "../../system/durable-files.js";
import { errorCode, fullStop, Rejection } from "../../system/errors.js";
import { sdkVersion } from "../../system/installation.js";
import { storageError } from "../../system/request-errors.js";
import {
  type AgreementReport,
  conflict,
  type PluginAdministration,
  pluginRejected,
  type Upload,
} from "../administration/administration.js";
import { archiveLimits, archiveName, type Manifest, manifestOfArchive } from "../packages/packages.js";
import type { PluginState, Stage } from "../plugin-state.js";

interface InstallerOptions {
  /** Drop-in folders; plugins go into the first one. */
  folders: readonly string[];
  configuration: Pick<PluginsConfiguration, "archives" | "startTimeout">;
  plugins: Pick<PluginAdministration, "states" | "scan" | "expect" | "agreed" | "withdraw">;
  /** Aborts when the host stops. */
  closing: AbortSignal;
  log: Log;
}

interface InstallOptions {
  /** The client left; the outcome is processed nevertheless. */
  gone: AbortSignal;
  /** Whether hosts that cannot take it are left out. */
  isForced: boolean;
}

interface Installed {
  state: PluginState;
  /** In a fleet. */
  agreed: AgreementReport | undefined;
}

const pendingStages: ReadonlySet<Stage> = new Set<Stage>([
  "discovered",
  "waiting",
  "verified",
  "staged",
  "starting",
  "probing",
]);
const refused: ReadonlySet<Stage> = new Set<Stage>(["rejected", "failed", "quarantined"]);

/** Milliseconds in addition to the start timeout: for write stability, bundling and queueing. */
const decisionTimeout = 30_000;
const pollInterval = 50;

/** Installs archives from admins. */
export class PluginInstaller {
  constructor(private readonly options: InstallerOptions) {}

  /** Maximum size of an archive in bytes. */
  get limit(): number {
    return archiveLimits(this.options.configuration.archives).bytes;
  }

  /**
   * Installs the archive that `fill` writes and waits until the plugin serves or stands by; after a timeout returns the
   * state as it is. Throws 409 `plugin-conflict` when the version is already present or the folder is not writable, 422
   * `plugin-rejected` when the plugin is refused or does not start, 503 `request-overloaded` without disk space.
   * Removes the archive after a failure, so that a corrected one can use the same version.
   */
  async install(
    fill: (file: string) => Promise<void>,
    { gone, isForced }: InstallOptions,
  ): Promise<Installed> {
    const source = await this.put(fill);
    const outcome = this.awaitOutcome({ source, isForced });
    outcome.catch((error: unknown) => {
      if (!(error instanceof RequestError))
        this.options.log.error("The installation of a plugin could not be observed", {
          place: source,
          error,
        });
    });
    return await Promise.race([outcome, aborted(gone)]);
  }

  /** Returns the path of the archive in the drop-in folder. */
  private async put(fill: (file: string) => Promise<void>): Promise<string> {
    const [first] = this.options.folders;
    if (first === undefined)
      throw conflict("The host has no drop-in folder for plugins. The setting folders.plugins names one.");
    try {
      return await withIncoming(resolve(first), fill, (file) => this.take(file));
    } catch (error) {
      if (error instanceof Rejection) throw pluginRejected(`The host refuses the archive: ${error.message}.`);
      throw unwritable(error) ?? storageError(error);
    }
  }

  private async take(file: string): Promise<string> {
    const { archives } = this.options.configuration;
    const manifest = await manifestOfArchive(file, archiveLimits(archives), sdkVersion);
    await this.requireNew(manifest);
    return await nameArchive(file, manifest);
  }

  /** A folder or archive with any name may have the version. A refused one does not count. */
  private async requireNew({ version, slipway }: Manifest): Promise<void> {
    for (const state of this.options.plugins.states()) {
      if (state.name !== slipway.plugin || state.version !== version || refused.has(state.stage)) continue;
      // A running version may be left over from a removed source.
      if (await isThere(state.folder))
        throw taken(`${slipway.plugin} ${version} (${basename(state.folder)})`);
    }
  }

  /** Waits for the outcome; removes a refused plugin. */
  private async awaitOutcome(upload: Upload): Promise<Installed> {
    const { closing, plugins } = this.options;
    const { source } = upload;
    let state: PluginState | undefined;
    let agreed: AgreementReport | undefined;
    try {
      plugins.expect(upload);
      state = await this.outcome(source);
      agreed = await plugins.agreed(upload);
    } catch (error) {
      await plugins.withdraw(source);
      throw error;
    }
    if (state === undefined) {
      const reason = closing.aborted ? "the host is stopping" : "the host does not find it";
      const place = basename(source);
      throw conflict(`${place} is in the drop-in folder now, but ${reason}.`);
    }
    if (!refused.has(state.stage)) return { state, agreed };
    await plugins.withdraw(source);
    const label = state.name === undefined ? "The plugin" : `${state.name} ${state.version ?? ""}`.trim();
    throw pluginRejected(
      `${label} is ${state.stage}: ${fullStop(state.reason ?? "the log of the host says why")}`,
      state,
    );
  }

  private async outcome(source: string): Promise<PluginState | undefined> {
    const { plugins, closing, configuration } = this.options;
    const end = performance.now() + configuration.startTimeout + decisionTimeout;
    await plugins.scan();
    for (;;) {
      const state = plugins.states().find(({ folder }) => folder === source);
      const isDecided = state !== undefined && !isPending(state);
      if (isDecided || closing.aborted || performance.now() > end) return state;
      await pause(pollInterval, undefined, { ref: false });
    }
  }
}

/** Whether the outcome for a plugin is still pending. */
export function isPending({ stage }: Pick<PluginState, "stage">): boolean {
  return pendingStages.has(stage);
}

/** 409 for a folder that the host cannot write; undefined for any other error. */
function unwritable(error: unknown): RequestError | undefined {
  const code = errorCode(error);
  if (code === undefined || !["EROFS", "EACCES", "EPERM", "ENOENT", "ENOTDIR"].includes(code))
    return undefined;
  return conflict(
    `The host cannot write its drop-in folder (${code}); make it writable for the user of the host, or copy plugins there yourself.`,
  );
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}

const prefix = ".adding-";

/** Milliseconds without a write after which a file counts as left by a killed host. */
const abandonedAfter = 3_600_000;

/** A new path in a drop-in folder that hosts ignore. */
export function incomingFile(folder: string): string {
  return join(folder, `${prefix}${randomUUID()}${unfinished}`);
}

/**
 * Lets `fill` write a hidden file in the folder, syncs the file and passes it to `use`, which may move it. Removes the
 * file afterwards.
 */
async function withIncoming<T>(
  folder: string,
  fill: (file: string) => Promise<void>,
  use: (file: string) => Promise<T>,
): Promise<T> {
  const file = incomingFile(folder);
  try {
    await removeAbandoned(folder);
    await fill(file);
    await sync(file);
    return await use(file);
  } finally {
    await rm(file, { force: true });
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((each) => each.startsWith(prefix) && each.endsWith(unfinished))) {
    const file = join(folder, name);
    const age = await stat(file).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > abandonedAfter) await rm(file, { force: true });
  }
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Error codes of file systems without hard links. */
const withoutLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"]);

/**
 * Renames an archive in its folder to the name of its package and version, with the ending of its format; returns the new
 * path. Throws 409 `plugin-conflict` when the name is taken, even by a concurrent call, and a `Rejection` when it is not a
 * valid file name.
 */
async function nameArchive(file: string, manifest: Manifest): Promise<string> {
  const name = archiveName(manifest, await archiveFormat(file));
  if (isIgnored(name)) throw new Rejection(`a package named "${manifest.name}" would be a hidden file`);
  const path = join(dirname(file), name);
  try {
    await giveName(file, path);
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw taken(name);
    if (errorCode(error) === "ENAMETOOLONG")
      throw new Rejection("name and version of the package are too long for the name of a file");
    throw error;
  }
  await syncFolder(dirname(path));
  return path;
}

/** 409: the version is already present. */
function taken(place: string): Error {
  return conflict(`${place} is already in the drop-in folder. Give changed content a new version number.`);
}

/** A rename would replace an existing file; a hard link never does. */
async function giveName(file: string, path: string): Promise<void> {
  try {
    await link(file, path);
    await rm(file);
  } catch (error) {
    if (!withoutLinks.has(errorCode(error) ?? "")) throw error;
    if (await isThere(path)) throw taken(basename(path));
    await rename(file, path);
  }
}
