import type { PluginShelf } from "../../plugins/fleet/fleet.js";
import { Rejection } from "../../system/errors.js";
import { hashedPieces } from "../../system/hashed-pieces.js";
import { chunksOfPieces } from "./chunks.js";
import type { Database } from "./database.js";

/** Chunks per read. */
const readAtOnce = 4;

/** Archives of plugins as chunks in rows; an archive exists completely or not at all. */
export class PostgresqlShelf implements PluginShelf {
  constructor(private readonly database: Database) {}

  async put(
    plugin: string,
    source: string,
    archive: () => Promise<AsyncIterable<Uint8Array>>,
  ): Promise<void> {
    // It must not be removed between this moment and the proposal that names it.
    const known = await this.database.query(
      "UPDATE slipway.archive SET added_at = clock_timestamp() WHERE plugin = $1 AND source = $2",
      [plugin, source],
    );
    if (known.rowCount === 1) return;
    await this.database.transaction(async (connection) => {
      const { rowCount } = await connection.query(
        "INSERT INTO slipway.archive (plugin, source) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        [plugin, source],
      );
      if (rowCount === 0) return;
      let sha256: string | undefined;
      const pieces = hashedPieces(await archive(), (hash) => {
        sha256 = hash;
      });
      let n = 0;
      for await (const chunk of chunksOfPieces(pieces)) {
        await connection.query(
          "INSERT INTO slipway.archive_chunk (plugin, source, n, data) VALUES ($1, $2, $3, $4)",
          [plugin, source, n, chunk],
        );
        n += 1;
      }
      await connection.query("UPDATE slipway.archive SET sha256 = $3 WHERE plugin = $1 AND source = $2", [
        plugin,
        source,
        sha256,
      ]);
    });
  }

  async get(plugin: string, source: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const { rows } = await this.database.query<{ sha256: string | null; chunks: number }>(
      `SELECT sha256, count(n)::int AS chunks FROM slipway.archive
           LEFT JOIN slipway.archive_chunk USING (plugin, source)
           WHERE plugin = $1 AND source = $2 GROUP BY sha256`,
      [plugin, source],
    );
    const [found] = rows;
    if (found === undefined) return undefined;
    // Earlier versions stored no hash; then staging checks the content.
    return hashedPieces(this.parts(plugin, source, found.chunks), (hash) => {
      if (found.sha256 !== null && found.sha256 !== hash)
        throw new Rejection(
          `the archive of ${plugin} in the database is damaged: its SHA-256 is not that of what was put there`,
        );
    });
  }

  async retain(plugin: string, sources: readonly string[]): Promise<void> {
    // A recent archive may be proposed in a moment.
    await this.database.execute(
      `DELETE FROM slipway.archive WHERE plugin = $1 AND source <> ALL ($2)
           AND added_at < clock_timestamp() - interval '1 hour'
           AND NOT EXISTS (SELECT FROM slipway.switch WHERE plugin = $1 AND state = 'preparing')`,
      [plugin, [...sources]],
    );
  }

  private async *parts(plugin: string, source: string, chunks: number): AsyncGenerator<Uint8Array> {
    for (let first = 0; first < chunks; first += readAtOnce) {
      const { pieces } = await this.database.read((connection) =>
        connection.copy(
          `SELECT data FROM slipway.archive_chunk WHERE plugin = ${connection.quoted(plugin)}
             AND source = ${connection.quoted(source)} AND n >= ${first} AND n < ${first + readAtOnce} ORDER BY n`,
        ),
      );
      yield* pieces;
    }
  }
}
