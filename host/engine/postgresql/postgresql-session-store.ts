import {
  bytesOf,
  nextRevisions,
  type Revision,
  type RevisionContent,
  refuseOverflow,
  revisionOf,
  type SessionFacts,
  type SessionRecord,
  type SessionStore,
  type SessionTerms,
  type SessionUsage,
  type StoredSession,
  type Upload,
  writtenLifetime,
} from "../../sessions/sessions.js";
import { type Connection, only } from "./connection.js";
import type { Database } from "./database.js";
import { isForeignKeyMissing } from "./database-errors.js";
import { insertContent, projectName } from "./session-content.js";
import { later, milliseconds } from "./times.js";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const hash = /^[0-9a-f]{64}$/;

const recordColumns = `id, locale, revision, summary,
  ${milliseconds("created_at")} AS created, ${milliseconds("expires_at")} AS "expiresAt"`;

/** Expired sessions that one statement removes. */
const removedAtOnce = 100;

/** Another request has replaced or removed the session; ends the transaction. */
class Superseded extends Error {}

/** The values of a row, $1 to $7. */
function written(
  session: SessionFacts,
  revisions: readonly Revision[],
  { lifetime }: SessionTerms,
): unknown[] {
  const { id, locale, revision, summary } = session;
  const texts = [JSON.stringify(summary), JSON.stringify(revisions)];
  return [id, locale, revision, ...texts, bytesOf(revisions), writtenLifetime(lifetime)];
}

/** Sessions as rows, their contents in chunks. The clock of the database decides. */
export class PostgresqlSessionStore implements SessionStore {
  constructor(private readonly database: Database) {}

  async open(): Promise<void> {}

  create(session: SessionFacts, content: RevisionContent, terms: SessionTerms): Promise<SessionRecord> {
    const revisions = [revisionOf(session.revision, content)];
    const bytes = bytesOf(revisions);
    return this.database.transaction(async (connection) => {
      const { rows } = await connection.query<SessionRecord>(
        `INSERT INTO slipway.session (id, locale, revision, summary, revisions, bytes, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, ${later()}, ${later("$7")}) ON CONFLICT (id) DO NOTHING RETURNING ${recordColumns}`,
        written(session, revisions, terms),
      );
      if (rows.length === 0) {
        const found = await connection.query<SessionRecord>(
          `SELECT ${recordColumns} FROM slipway.session WHERE id = $1`,
          [session.id],
        );
        return only(found.rows);
      }
      await insertContent(connection, session, content);
      await takeRoom(connection, { sessions: 1, bytes }, terms);
      return only(rows);
    });
  }

  async replace(
    session: SessionFacts,
    content: RevisionContent & { kept: string[] },
    terms: SessionTerms,
  ): Promise<SessionRecord | undefined> {
    if (!uuid.test(session.id)) return undefined;
    const replacing = this.database.transaction(async (connection) => {
      const found = await connection.query<{ revisions: Revision[] }>(
        "SELECT revisions FROM slipway.session WHERE id = $1 AND expires_at > now()",
        [session.id],
      );
      const before = found.rows[0]?.revisions;
      const held = await heldRevisions(connection, session.id);
      const revisions = before && nextRevisions(before, session.revision, content, held);
      if (revisions === undefined) throw new Superseded();
      // Before the session is locked, because other requests renew it meanwhile.
      await insertContent(connection, session, content);
      const { rows } = await connection.query<SessionRecord>(
        `UPDATE slipway.session SET locale = $2, revision = $3, summary = $4, revisions = $5, bytes = $6,
           expires_at = greatest(expires_at, ${later("$7")})
         WHERE id = $1 AND revision = $3 - 1 AND expires_at > now() RETURNING ${recordColumns}`,
        written(session, revisions, terms),
      );
      if (rows.length === 0) throw new Superseded();
      const names = revisions.flatMap((each) => [
        projectName(each.revision),
        ...each.assets.map(({ sha256 }) => sha256),
      ]);
      await connection.query("DELETE FROM slipway.content WHERE session = $1 AND name <> ALL ($2)", [
        session.id,
        names,
      ]);
      const bytes = bytesOf(revisions) - bytesOf(before ?? []);
      await takeRoom(connection, { sessions: 0, bytes }, terms);
      return only(rows);
    });
    return await replacing.catch((error: unknown) => {
      if (error instanceof Superseded || isForeignKeyMissing(error)) return undefined;
      throw error;
    });
  }

  async use(id: string, lifetime: number): Promise<SessionRecord | undefined> {
    if (!uuid.test(id)) return undefined;
    return await this.database.read(async (connection) => {
      const { rows } = await connection.query<SessionRecord & { isDue: boolean }>(
        `SELECT ${recordColumns}, expires_at < ${later("$2")} AS "isDue"
         FROM slipway.session WHERE id = $1 AND expires_at > now()`,
        [id, lifetime],
      );
      if (rows[0] === undefined) return undefined;
      const { isDue, ...record } = rows[0];
      if (!isDue) return record;
      const renewed = await connection.query<SessionRecord>(
        `UPDATE slipway.session SET expires_at = greatest(expires_at, ${later("$2")})
         WHERE id = $1 AND expires_at > now() RETURNING ${recordColumns}`,
        [id, writtenLifetime(lifetime)],
      );
      return renewed.rows[0];
    });
  }

  async find(id: string): Promise<SessionRecord | undefined> {
    if (!uuid.test(id)) return undefined;
    const { rows } = await this.database.query<SessionRecord>(
      `SELECT ${recordColumns} FROM slipway.session WHERE id = $1 AND expires_at > now()`,
      [id],
    );
    return rows[0];
  }

  async list({ after, limit }: { after?: string | undefined; limit: number }): Promise<StoredSession[]> {
    const { rows } = await this.database.query<SessionRecord & { bytes: number }>(
      `SELECT ${recordColumns}, bytes::float8 AS bytes FROM slipway.session
         WHERE expires_at > now() AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2`,
      [after ?? null, limit],
    );
    return rows.map(({ bytes, ...record }) => ({ record, bytes }));
  }

  async project(id: string, revision: number): Promise<Uint8Array | undefined> {
    return await this.content(id, projectName(revision));
  }

  async asset(id: string, sha256: string): Promise<Uint8Array | undefined> {
    return hash.test(sha256) ? await this.content(id, sha256) : undefined;
  }

  async hasAsset(id: string, sha256: string): Promise<boolean> {
    return (await this.revisions(id)).some(({ assets }) => assets.some((asset) => asset.sha256 === sha256));
  }

  async assets(id: string): Promise<string[]> {
    return (await this.revisions(id)).at(-1)?.assets.map(({ sha256 }) => sha256) ?? [];
  }

  async uploads(id: string): Promise<readonly Upload[]> {
    if (!uuid.test(id)) return [];
    return (await this.database.read((connection) => uploadsOf(connection, id, ""))) ?? [];
  }

  async changeUploads(
    id: string,
    change: (uploads: readonly Upload[]) => readonly Upload[],
  ): Promise<boolean> {
    if (!uuid.test(id)) return false;
    return await this.database.transaction(async (connection) => {
      const before = await uploadsOf(connection, id, "FOR UPDATE");
      if (before === undefined) return false;
      await connection.query("UPDATE slipway.session SET uploads = $2 WHERE id = $1", [
        id,
        JSON.stringify(change(before)),
      ]);
      return true;
    });
  }

  async remove(id: string): Promise<boolean> {
    if (!uuid.test(id)) return false;
    const { rowCount } = await this.database.execute(
      `WITH gone AS (DELETE FROM slipway.session WHERE id = $1 AND expires_at > now() RETURNING bytes)
         UPDATE slipway.usage SET count = count - 1, bytes = usage.bytes - gone.bytes
         FROM gone WHERE kind = 'session'`,
      [id],
    );
    return rowCount === 1;
  }

  async removeExpired(removed: (id: string) => void): Promise<void> {
    for (;;) {
      const { rows } = await this.database.sweep<{ ids: string[] | null }>(
        `WITH expired AS (
           SELECT id FROM slipway.session WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED
         ), gone AS (
           DELETE FROM slipway.session USING expired WHERE session.id = expired.id
           RETURNING session.id, session.bytes
         ), sums AS (
           SELECT count(*) AS count, sum(bytes) AS bytes, array_agg(id::text) AS ids FROM gone
         )
         UPDATE slipway.usage SET count = usage.count - sums.count, bytes = usage.bytes - sums.bytes
         FROM sums WHERE kind = 'session' AND sums.count > 0 RETURNING sums.ids`,
        [removedAtOnce],
      );
      const ids = rows[0]?.ids ?? [];
      for (const id of ids) removed(id);
      if (ids.length < removedAtOnce) return;
    }
  }

  /** The clock of this machine has no part in lifetimes. */
  async followClock(): Promise<void> {}

  async usage(): Promise<SessionUsage> {
    return await this.database.read(usageOf);
  }

  async close(): Promise<void> {}

  /** Undefined if the session or the content does not exist any more. */
  private async content(id: string, name: string): Promise<Uint8Array | undefined> {
    if (!uuid.test(id)) return undefined;
    const { rows, pieces } = await this.database.read((connection) =>
      connection.copy(
        `SELECT data FROM slipway.content JOIN slipway.session ON session.id = content.session
         WHERE session.id = ${connection.quoted(id)} AND expires_at > now()
           AND name = ${connection.quoted(name)} ORDER BY n`,
      ),
    );
    return rows === 0 ? undefined : Buffer.concat(pieces);
  }

  private async revisions(id: string): Promise<Revision[]> {
    if (!uuid.test(id)) return [];
    const { rows } = await this.database.query<{ revisions: Revision[] }>(
      "SELECT revisions FROM slipway.session WHERE id = $1 AND expires_at > now()",
      [id],
    );
    return rows[0]?.revisions ?? [];
  }
}

/** Undefined for a session that is not active. */
async function uploadsOf(
  connection: Connection,
  id: string,
  lock: "" | "FOR UPDATE",
): Promise<Upload[] | undefined> {
  const { rows } = await connection.query<{ uploads: Upload[] }>(
    `SELECT uploads FROM slipway.session WHERE id = $1 AND expires_at > now() ${lock}`,
    [id],
  );
  return rows[0]?.uploads;
}

/** Numbers of the revisions that unfinished jobs need. */
async function heldRevisions(connection: Connection, session: string): Promise<Set<number>> {
  const { rows } = await connection.query<{ revision: number }>(
    `SELECT DISTINCT (request->'session'->>'revision')::integer AS revision FROM slipway.job
     WHERE state IN ('queued', 'running') AND request->'session'->>'id' = $1`,
    [session],
  );
  return new Set(rows.map(({ revision }) => revision));
}

async function usageOf(connection: Connection): Promise<SessionUsage> {
  const { rows } = await connection.query<SessionUsage>(
    "SELECT count::float8 AS sessions, bytes::float8 AS bytes FROM slipway.usage WHERE kind = 'session'",
  );
  return only(rows);
}

/** Last in a transaction, because all writers wait for this row. Throws 503 `request-overloaded` beyond the limits. */
async function takeRoom(connection: Connection, added: SessionUsage, terms: SessionTerms): Promise<void> {
  for (;;) {
    const { rowCount } = await connection.query(
      `UPDATE slipway.usage SET count = count + $1, bytes = bytes + $2
       WHERE kind = 'session' AND ($1 = 0 OR count + $1 <= $3) AND bytes + $2 <= $4`,
      [added.sessions, added.bytes, terms.maximumSessions, terms.maximumBytes],
    );
    if (rowCount === 1) return;
    refuseOverflow(await usageOf(connection), added, terms);
  }
}
