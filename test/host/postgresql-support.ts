/** Databases for tests, and a PostgreSQL of a test's own. Uses the part itself. */
import { userInfo } from "node:os";
import { Client } from "pg";
import type { Test } from "tap";
import type { Engine } from "../../host/engine/engine.js";
import {
  command,
  createDatabase,
  findPrograms,
  type OwnServer,
  type Programs,
  rowsOf,
  startServer,
} from "../postgresql-server.js";
import { type EngineKind, engineAt, silent } from "./engine-support.js";

/** Why tests with a database are left out. */
export const noServer =
  "there is no PostgreSQL: neither one that lets this user in, at SLIPWAY_TEST_POSTGRES or 127.0.0.1:5432, nor its programs";

/**
 * The URL of a server where this user may make databases: one that runs already, or one of its own, which is gone at the
 * end of the test. Undefined without either.
 */
export async function findServer(test: Test): Promise<string | undefined> {
  const local = `postgresql://${encodeURIComponent(userInfo().username)}@127.0.0.1:5432/postgres`;
  const url = process.env["SLIPWAY_TEST_POSTGRES"] ?? local;
  const runs = await command(url, "SELECT 1").then(
    () => true,
    () => false,
  );
  if (runs) return url;
  const programs = await findPrograms();
  return programs === undefined ? undefined : (await ownServer(test, programs)).url;
}

/** Whether a query has rows. */
export async function finds(url: string, query: string): Promise<boolean> {
  return (await rowsOf(url, query)) > 0;
}

/** A new database on a server; it is gone at the end of the test. */
export async function newDatabase(test: Test, server: string): Promise<string> {
  const { url, drop } = await createDatabase(server);
  test.teardown(drop);
  return url;
}

/** Why tests that stop a server are left out. */
export const noPrograms = "there are no programs of PostgreSQL here";

/** Locks all rows of a table; resolves with a function that unlocks them, which the end of the test does, too. */
export async function lockRows(test: Test, url: string, table: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  await client.query("BEGIN");
  await client.query(`SELECT FROM ${table} FOR UPDATE`);
  let ended: Promise<void> | undefined;
  const unlock = (): Promise<void> => {
    ended ??= client.end();
    return ended;
  };
  test.teardown(unlock);
  return unlock;
}

/** Engines that share a database of a server. */
export function postgresqlEngines(server: string): EngineKind {
  return {
    isShared: true,
    async place(test, settings = {}) {
      const opened: Engine[] = [];
      const address = await newDatabase(test, server);
      test.teardown(() => Promise.all(opened.map((engine) => engine.close())));
      return {
        address,
        engine: async () => {
          const engine = await engineAt(address, settings, silent);
          opened.push(engine);
          return engine;
        },
        // The clock of a database cannot be moved; what it is compared with can.
        pass: (milliseconds) =>
          command(
            address,
            `UPDATE slipway.member SET lease_until = lease_until - interval '${milliseconds} milliseconds';
             UPDATE slipway.session SET expires_at = expires_at - interval '${milliseconds} milliseconds';
             UPDATE slipway.artifact SET created_at = created_at - interval '${milliseconds} milliseconds',
               expires_at = expires_at - interval '${milliseconds} milliseconds',
               removed_at = removed_at - interval '${milliseconds} milliseconds';
             UPDATE slipway.archive SET added_at = added_at - interval '${milliseconds} milliseconds';
             UPDATE slipway.webhook_secret SET previous_until = previous_until - interval '${milliseconds} milliseconds';
             UPDATE slipway.idempotency SET due_at = due_at - interval '${milliseconds} milliseconds',
               expires_at = expires_at - interval '${milliseconds} milliseconds';
             UPDATE slipway.job SET due_at = due_at - interval '${milliseconds} milliseconds',
               webhook_due_at = webhook_due_at - interval '${milliseconds} milliseconds',
               expires_at = expires_at - interval '${milliseconds} milliseconds'`,
          ),
      };
    },
  };
}

/** Starts a PostgreSQL with data of its own, with settings as in postgresql.conf; it is gone at the end of the test. */
export async function ownServer(
  test: Test,
  programs: Programs | undefined,
  settings?: Readonly<Record<string, string>>,
): Promise<OwnServer> {
  if (programs === undefined) throw new Error(noServer);
  const server = await startServer(programs, settings);
  test.teardown(() => server.remove());
  return server;
}
