import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import type { Log, RequestError } from "@slipway/sdk";
import { type Artifact, cleanFilename } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { shownId } from "../observability/requests/request-names.js";
import { diskRoom, missingRoom } from "../system/free-disk.js";
import { overloaded, storageError } from "../system/request-errors.js";
import { ArtifactFiles } from "./artifact-files.js";
import type { ArtifactStore, ArtifactUsage } from "./artifact-store.js";
import { KeptArtifacts } from "./kept-artifacts.js";

export interface FileArtifactStoreOptions {
  folder: string;
  /** Read at each use, because it may change. */
  configuration: Configuration["files"];
  log: Log;
}

/** Bytes of one file between two checks of the disk space. */
const lookAfter = 16 * 1024 * 1024;

/** Stores artifacts as files in one folder, owned by one host. */
export function createFileArtifactStore(options: FileArtifactStoreOptions): ArtifactStore {
  return new FileArtifactStore(options);
}

class FileArtifactStore implements ArtifactStore {
  private readonly files: ArtifactFiles;
  private readonly kept = new KeptArtifacts();
  private bytes = 0;
  private evicted = 0;
  /** Resolves when the evicted files are deleted. */
  private removing: Promise<void> = Promise.resolve();

  constructor(private readonly options: FileArtifactStoreOptions) {
    this.files = new ArtifactFiles(options.folder);
  }

  async open(): Promise<void> {
    const { log } = this.options;
    const { artifacts, others } = await this.files.open();
    for (const artifact of artifacts) {
      this.kept.add(artifact);
      this.bytes += artifact.bytes;
    }
    for (const name of others) await this.files.removeOther(name);
    if (others.length > 0)
      log.info("Removed what an earlier run left incomplete of generated files", { files: others.length });
  }

  async create(file: Parameters<ArtifactStore["create"]>[0]): Promise<Artifact> {
    const id = randomBytes(18).toString("base64url");
    const name = cleanFilename(file.name);
    let taken = 0;
    let untilLook = 0;
    const take = async (bytes: number): Promise<void> => {
      this.takeBytes(bytes);
      taken += bytes;
      untilLook -= bytes;
      if (untilLook > 0) return;
      untilLook = lookAfter;
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
      this.kept.add(artifact);
      return artifact;
    } catch (error) {
      this.bytes -= taken;
      throw storageError(error);
    }
  }

  async find(id: string): Promise<Artifact | undefined> {
    return this.kept.find(id);
  }

  read(artifact: Artifact, range?: { start: number; end: number }): Readable {
    const content = this.files.read(artifact.id, range);
    content.once("close", this.kept.reading(artifact.id));
    return content;
  }

  async discard(id: string): Promise<void> {
    await this.remove(id);
  }

  async removeExpired(now: number): Promise<number> {
    const expired = this.kept.expired(now);
    for (const { id } of expired) await this.remove(id);
    return expired.length;
  }

  usage(): ArtifactUsage {
    const { maximumBytes } = this.options.configuration;
    return { count: this.kept.size, bytes: this.bytes, maximumBytes, evicted: this.evicted };
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
    const oldest = this.kept.oldest(configuration.minimumLifetime);
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
        ...this.usage(),
      },
    );
    return overloaded("The space for generated files is used up until older ones expire.", 60);
  }

  /** Drops the artifact even if its files cannot be removed; the next start handles them. */
  private async remove(id: string): Promise<void> {
    this.bytes -= this.kept.take(id)?.bytes ?? 0;
    await this.files.remove(id).catch((error: unknown) =>
      this.options.log.warn("A generated file could not be removed from the disk", {
        id: shownId(id),
        error,
      }),
    );
  }
}
