import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Log, RequestError } from "@slipway/sdk";
import { type Artifact, cleanFilename, newArtifactId } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../../configuration/configuration.js";
import { ArtifactGone, type ArtifactStore, type ArtifactUsage } from "../../files/files.js";
import { engineUnavailable, overloaded } from "../../system/request-errors.js";
import { chunkLength, chunksOf, chunksOfPieces } from "./chunks.js";
import type { Database } from "./database.js";
import { Partitions } from "./partitions.js";
import { later, milliseconds } from "./times.js";

export interface PostgresqlArtifactStoreOptions {
  database: Database;
  /** Read at each use, because it may change. */
  configuration: Configuration["files"];
  log: Log;
}

/** Chunks per read: they stay in memory, so that their connection is free while a client receives them. */
const readAtOnce = 4;
/** Minutes for which a removed file stays for its readers. */
const grace = 15;
/** Removed files that one statement clears. */
const clearedAtOnce = 100;

const validId = /^[A-Za-z0-9_-]+$/;

const times = `${milliseconds("created_at")} AS created, ${milliseconds("expires_at")} AS "expiresAt"`;
const artifactColumns = `id, name, media_type AS "mediaType", bytes::float8 AS bytes, etag, ${times}`;

/**
 * Files as rows and chunks. Writing a chunk does not wait for the disk or a standby; writing the row does, and covers all
 * earlier writes: a file exists once its row does. A server that crashed or was replaced in between may lack some chunks.
 */
export class PostgresqlArtifactStore implements ArtifactStore {
  private readonly database: Database;
  private readonly partitions: Partitions;

  constructor(private readonly options: PostgresqlArtifactStoreOptions) {
    this.database = options.database;
    this.partitions = new Partitions(options.database);
  }

  async open(): Promise<void> {}

  async create(file: Parameters<ArtifactStore["create"]>[0]): Promise<Artifact> {
    const { id = newArtifactId(), name, mediaType, content } = file;
    const { lifetime } = this.options.configuration;
    const day = await this.partitions.of(lifetime);
    const hash = createHash("sha256");
    let bytes = 0;
    let n = 0;
    try {
      for await (const chunk of content instanceof Uint8Array ? chunksOf(content) : chunksOfPieces(content)) {
        hash.update(chunk);
        bytes += chunk.length;
        if (bytes > this.options.configuration.maximumBytes) throw this.full();
        await this.writeChunk(day, id, n, chunk);
        n += 1;
      }
      const facts = { id, name: cleanFilename(name), mediaType, bytes, etag: hash.digest("hex") };
      return { ...facts, ...(await this.commit(facts, { day, chunks: n }, lifetime)) };
    } catch (error) {
      // The rest is dropped with its partition.
      await this.removeChunks(day, id).catch(() => undefined);
      throw error;
    }
  }

  async find(id: string): Promise<Artifact | undefined> {
    if (!validId.test(id)) return undefined;
    const { rows } = await this.database.query<Artifact>(
      `SELECT ${artifactColumns} FROM slipway.artifact
         WHERE id = $1 AND removed_at IS NULL AND expires_at > now()`,
      [id],
    );
    return rows[0];
  }

  read(artifact: Artifact, range?: { start: number; end: number }): Readable {
    const { start = 0, end = artifact.bytes - 1 } = range ?? {};
    return Readable.from(this.parts(artifact.id, start, end), { objectMode: false });
  }

  async discard(id: string): Promise<void> {
    if (!validId.test(id)) return;
    const { rows } = await this.database.execute<{ day: string }>(
      `WITH gone AS (DELETE FROM slipway.artifact WHERE id = $1 RETURNING day, bytes, removed_at),
         counted AS (
           UPDATE slipway.usage SET count = count - 1, bytes = usage.bytes - gone.bytes
           FROM gone WHERE kind = 'artifact' AND removed_at IS NULL
         )
         SELECT day::text AS day FROM gone`,
      [id],
    );
    for (const { day } of rows) await this.removeChunks(day, id);
  }

  async removeExpired(): Promise<number> {
    const { rows } = await this.database.sweep<{ count: number }>(
      `WITH expired AS (
         SELECT id FROM slipway.artifact
         WHERE removed_at IS NULL AND expires_at <= now() FOR UPDATE SKIP LOCKED
       ), gone AS (
         UPDATE slipway.artifact SET removed_at = now() FROM expired WHERE artifact.id = expired.id
         RETURNING artifact.bytes
       ), sums AS (SELECT count(*) AS count, sum(bytes) AS bytes FROM gone)
       UPDATE slipway.usage SET count = usage.count - sums.count, bytes = usage.bytes - sums.bytes
       FROM sums WHERE kind = 'artifact' AND sums.count > 0 RETURNING sums.count::float8 AS count`,
    );
    await this.clear();
    await this.partitions.drop();
    return rows[0]?.count ?? 0;
  }

  async usage(): Promise<ArtifactUsage> {
    const { rows } = await this.database.query<Omit<ArtifactUsage, "maximumBytes">>(
      `SELECT count::float8 AS count, bytes::float8 AS bytes, evicted::float8 AS evicted
         FROM slipway.usage WHERE kind = 'artifact'`,
    );
    const { count = 0, bytes = 0, evicted = 0 } = rows[0] ?? {};
    return { count, bytes, maximumBytes: this.options.configuration.maximumBytes, evicted };
  }

  private async *parts(id: string, start: number, end: number): AsyncGenerator<Buffer> {
    const last = Math.floor(Math.max(end, 0) / chunkLength);
    for (let first = Math.floor(start / chunkLength); first <= last; first += readAtOnce) {
      const until = Math.min(first + readAtOnce - 1, last);
      const { rows, pieces } = await this.database.read((connection) => {
        const artifact = connection.quoted(id);
        return connection.copy(
          `SELECT data FROM slipway.chunk
           WHERE day = (SELECT day FROM slipway.artifact WHERE id = ${artifact})
             AND artifact = ${artifact} AND n BETWEEN ${first} AND ${until} ORDER BY n`,
        );
      });
      if (rows !== until - first + 1) throw new ArtifactGone(id);
      let at = first * chunkLength;
      for (const piece of pieces) {
        const wanted = piece.subarray(Math.max(start - at, 0), Math.max(end + 1 - at, 0));
        at += piece.length;
        if (wanted.length > 0) yield wanted;
      }
    }
  }

  /** Not synced: no client knows the file yet. */
  private async writeChunk(day: string, id: string, n: number, data: Uint8Array): Promise<void> {
    await this.database.query(
      `INSERT INTO slipway.chunk (day, artifact, n, data)
         SELECT $1::date, $2, $3::integer, $4::bytea FROM set_config('synchronous_commit', 'off', true)
         ON CONFLICT DO NOTHING`,
      [day, id, n, data],
    );
  }

  private async removeChunks(day: string, id: string): Promise<void> {
    await this.database.query("DELETE FROM slipway.chunk WHERE day = $1 AND artifact = $2", [day, id]);
  }

  /** Makes the file exist, replacing older ones if necessary. Rejects with 503 if the server lost a part of it. */
  private async commit(
    { id, name, mediaType, bytes, etag }: Omit<Artifact, "created" | "expiresAt">,
    written: { day: string; chunks: number },
    lifetime: number,
  ): Promise<Pick<Artifact, "created" | "expiresAt">> {
    for (;;) {
      const { maximumBytes } = this.options.configuration;
      const { rows } = await this.database.execute<{
        isWhole: boolean;
        created: number | null;
        expiresAt: number | null;
      }>(
        `WITH written AS (
             SELECT count(*) = $9 AS "isWhole" FROM slipway.chunk WHERE day = $6::date AND artifact = $1
           ), room AS (
             UPDATE slipway.usage SET count = count + 1, bytes = bytes + $4
             FROM written WHERE kind = 'artifact' AND bytes + $4 <= $8 AND "isWhole" RETURNING kind
           ), added AS (
             INSERT INTO slipway.artifact (id, name, media_type, bytes, etag, day, created_at, expires_at)
             SELECT $1, $2, $3, $4, $5, $6::date, ${later()}, ${later("$7")} FROM room RETURNING ${times}
           )
           SELECT * FROM written LEFT JOIN added ON true`,
        [id, name, mediaType, bytes, etag, written.day, lifetime, maximumBytes, written.chunks],
      );
      const [row] = rows;
      if (row?.isWhole !== true) throw engineUnavailable();
      const { created, expiresAt } = row;
      if (created !== null && expiresAt !== null) return { created, expiresAt };
      if (!(await this.evictOldest())) throw this.full();
    }
  }

  /** Hides the oldest evictable file; its bytes stay for its readers. */
  private async evictOldest(): Promise<boolean> {
    const { configuration, log } = this.options;
    const { rows } = await this.database.execute<{ bytes: number; created: number; evicted: number }>(
      `WITH oldest AS (
           SELECT id FROM slipway.artifact
           WHERE removed_at IS NULL AND created_at < ${later("$1")}
           ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED
         ), gone AS (
           UPDATE slipway.artifact SET removed_at = now() FROM oldest WHERE artifact.id = oldest.id
           RETURNING artifact.bytes, artifact.created_at
         )
         UPDATE slipway.usage SET count = count - 1, bytes = usage.bytes - gone.bytes, evicted = evicted + 1
         FROM gone WHERE kind = 'artifact'
         RETURNING gone.bytes::float8 AS bytes, evicted::float8 AS evicted, ${milliseconds("gone.created_at")} AS created`,
      [-configuration.minimumLifetime],
    );
    const [oldest] = rows;
    if (oldest === undefined) return false;
    log.warn("A generated file was deleted early for lack of space", {
      setting: "files.maximumBytes",
      bytes: oldest.bytes,
      created: new Date(oldest.created).toISOString(),
      evicted: oldest.evicted,
    });
    return true;
  }

  private full(): RequestError {
    this.options.log.warn(
      "A generated file was refused: the limit is reached, and no older file may be deleted yet",
      { setting: "files.maximumBytes", maximumBytes: this.options.configuration.maximumBytes },
    );
    return overloaded("The space for generated files is full until older ones expire. Try again later.", 60);
  }

  /** Deletes files some time after their removal. Chunks of expired files are dropped with their partition. */
  private async clear(): Promise<void> {
    for (;;) {
      const { rows } = await this.database.sweep<{ count: number }>(
        `WITH old AS (
           SELECT id FROM slipway.artifact WHERE removed_at < now() - interval '${grace} minutes'
           LIMIT ${clearedAtOnce} FOR UPDATE SKIP LOCKED
         ), cleared AS (
           DELETE FROM slipway.artifact USING old WHERE artifact.id = old.id
           RETURNING artifact.id, artifact.day, artifact.removed_at < artifact.expires_at AS early
         ), chunks AS (
           DELETE FROM slipway.chunk USING cleared
           WHERE early AND chunk.day = cleared.day AND chunk.artifact = cleared.id
         )
         SELECT count(*)::float8 AS count FROM cleared`,
      );
      if ((rows[0]?.count ?? 0) < clearedAtOnce) return;
    }
  }
}
