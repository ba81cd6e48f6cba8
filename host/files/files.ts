/**
 * Generated files: the door of this folder.
 *
 * In: the bytes of a file, whole or in pieces, with its name and media type.
 * Out: the file by its unguessable id, or a part of it; usage.
 * Owns: the folder of generated files below `var`, their lifetimes and the disk space that they take.
 *
 * `ArtifactStore` is the contract of all engines; `createFileArtifactStore` creates the store of a single host.
 */
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Log, RequestError } from "@slipway/sdk";
import {
  type Artifact,
  artifactIdOf,
  cleanFilename,
  type GeneratedFiles,
  newArtifactId,
} from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { shownId } from "../observability/requests/request-names.js";
import { diskRoom, missingRoom } from "../system/free-disk.js";
import { overloaded, storageError } from "../system/request-errors.js";
import { monotonicTime } from "../system/time.js";
import { ArtifactFiles } from "./artifact-files.js";
import { ArtifactIndex } from "./artifact-index.js";

export { ArtifactGone } from "./artifact-files.js";

/** Usage of the store. */
export interface ArtifactUsage {
  /** Complete files. */
  count: number;
  /** Includes files that are being written. */
  bytes: number;
  /** As configured. */
  maximumBytes: number;
  /** Files deleted early for lack of space since the store was opened. */
  evicted: number;
}

/**
 * Generated files with a lifetime. For lack of space, the oldest files without readers are deleted once they are older
 * than `files.minimumLifetime`; if that is not enough, `create` rejects with 503 `request-overloaded`. The store decides by
 * its own clock what has expired. The stream of `read` fails with `ArtifactGone` where the file was removed meanwhile; a
 * stream that has begun is not torn by an expiry or for lack of space.
 */
export interface ArtifactStore extends GeneratedFiles {
  /** Reads the files of earlier runs and removes incomplete ones. */
  open(): Promise<void>;
  /** Returns the number of removed files. */
  removeExpired(): Promise<number>;
  usage(): Promise<ArtifactUsage>;
}

/**
 * The content behind a link to a file of this host, without an HTTP request. The host name does not matter: ids are
 * unguessable, so an existing id is no coincidence.
 */
export async function ownFile(artifacts: ArtifactStore, link: string): Promise<Uint8Array | undefined> {
  const id = artifactIdOf(link);
  const artifact = id === undefined ? undefined : await artifacts.find(id);
  return artifact === undefined ? undefined : buffer(artifacts.read(artifact));
}

export interface FileArtifactStoreOptions {
  folder: string;
  /** Read at each use, because it may change. */
  configuration: Configuration["files"];
  log: Log;
  /** Milliseconds by which lifetimes are measured; default: the monotonic clock. */
  now?: () => number;
}

/** Between two checks of the disk space, bytes that are written and milliseconds: a check is as much work as a small file. */
const diskCheckAfter = { bytes: 16 * 1024 ** 2, time: 1000 };

/** Stores artifacts as files in one folder, owned by one host. */
export function createFileArtifactStore(options: FileArtifactStoreOptions): ArtifactStore {
  return new FileArtifactStore(options);
}

class FileArtifactStore implements ArtifactStore {
  private readonly files: ArtifactFiles;
  private readonly index: ArtifactIndex;
  private bytes = 0;
  private evicted = 0;
  /** Bytes written since the last check of the disk space. */
  private uncheckedBytes = 0;
  private checkedAt = Number.NEGATIVE_INFINITY;
  /** Resolves when the evicted files are deleted. */
  private removing: Promise<void> = Promise.resolve();

  constructor(private readonly options: FileArtifactStoreOptions) {
    this.files = new ArtifactFiles(options.folder);
    this.index = new ArtifactIndex(options.now ?? monotonicTime);
  }

  async open(): Promise<void> {
    const { log } = this.options;
    const { artifacts, others } = await this.files.open();
    for (const artifact of artifacts) {
      this.index.add(artifact);
      this.bytes += artifact.bytes;
    }
    for (const name of others) await this.files.removeOther(name);
    if (others.length > 0)
      log.info("Removed what an earlier run left incomplete of generated files", { files: others.length });
  }

  async create(file: Parameters<ArtifactStore["create"]>[0]): Promise<Artifact> {
    const { id = newArtifactId() } = file;
    const name = cleanFilename(file.name);
    let taken = 0;
    const take = async (bytes: number): Promise<void> => {
      this.takeBytes(bytes);
      taken += bytes;
      const now = monotonicTime();
      this.uncheckedBytes += bytes;
      if (this.uncheckedBytes < diskCheckAfter.bytes && now - this.checkedAt < diskCheckAfter.time) return;
      this.uncheckedBytes = 0;
      this.checkedAt = now;
      await this.keepDiskFree(bytes);
    };
    try {
      const artifact = await this.files.write(
        id,
        file.content,
        (content) => {
          const created = Date.now();
          const expiresAt = created + this.options.configuration.lifetime;
          return { id, name, mediaType: file.mediaType, ...content, created, expiresAt };
        },
        take,
      );
      this.index.addNew(artifact);
      return artifact;
    } catch (error) {
      this.bytes -= taken;
      throw storageError(error);
    }
  }

  async find(id: string): Promise<Artifact | undefined> {
    return this.index.find(id);
  }

  read(artifact: Artifact, range?: { start: number; end: number }): Readable {
    const content = this.files.read(artifact.id, range);
    content.once("close", this.index.reading(artifact.id));
    return content;
  }

  async discard(id: string): Promise<void> {
    await this.remove(id);
  }

  async removeExpired(): Promise<number> {
    const expired = this.index.expired();
    for (const { id } of expired) await this.remove(id);
    return expired.length;
  }

  async usage(): Promise<ArtifactUsage> {
    return this.used();
  }

  private used(): ArtifactUsage {
    const { maximumBytes } = this.options.configuration;
    return { count: this.index.size, bytes: this.bytes, maximumBytes, evicted: this.evicted };
  }

  /**
   * Reserves the bytes synchronously, so that no other file gets the same space; evicted files are deleted in the
   * background.
   */
  private takeBytes(bytes: number): void {
    while (this.bytes + bytes > this.options.configuration.maximumBytes)
      if (this.evictOldest("files.maximumBytes") === undefined) throw this.full("files.maximumBytes");
    this.bytes += bytes;
  }

  /** Keeps the configured disk space free after writing more bytes. */
  private async keepDiskFree(bytes: number): Promise<void> {
    const { folder, configuration } = this.options;
    const room = await diskRoom(folder);
    if (room === undefined) return;
    let missing = missingRoom({ ...room, free: room.free - bytes }, configuration.minimumFree);
    while (missing > 0) {
      const evicted = this.evictOldest("files.minimumFree");
      if (evicted === undefined) throw this.full("files.minimumFree");
      missing -= evicted.bytes;
      await this.removing;
    }
  }

  private evictOldest(reason: string): Artifact | undefined {
    const { configuration, log } = this.options;
    const oldest = this.index.oldest(configuration.minimumLifetime);
    if (oldest === undefined) return undefined;
    this.evicted += 1;
    log.warn("A generated file was deleted early for lack of space", {
      setting: reason,
      bytes: oldest.bytes,
      created: new Date(oldest.created).toISOString(),
      evicted: this.evicted,
    });
    this.removing = Promise.all([this.removing, this.remove(oldest.id)]).then(() => undefined);
    return oldest;
  }

  private full(setting: string): RequestError {
    this.options.log.warn(
      "A generated file was refused: the limit is reached, and no older file may be deleted yet",
      {
        setting,
        ...this.used(),
      },
    );
    return overloaded("The space for generated files is full until older ones expire. Try again later.", 60);
  }

  /** Drops the artifact even if its files cannot be removed; the next start handles them. */
  private async remove(id: string): Promise<void> {
    this.bytes -= this.index.take(id)?.bytes ?? 0;
    await this.files.remove(id).catch((error: unknown) =>
      this.options.log.warn("A generated file could not be removed from the disk", {
        id: shownId(id),
        error,
      }),
    );
  }
}
