import type { Log } from "@slipway/sdk";
import { isEngineUnavailable } from "../../system/request-errors.js";
import { Database, type DatabaseOptions } from "./database.js";
import { LeaseTerm } from "./lease-term.js";
import { oldestServer } from "./migrations.js";

/** The settings of a database server that matter to hosts. */
export interface DatabaseFacts {
  /** Such as "PostgreSQL at db1:5432/slipway". */
  name: string;
  version: string;
  isTooOld: boolean;
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  /** The standbys that a commit waits for; empty without any. */
  synchronousStandbys: string;
  /** Standbys that are connected. */
  replicas: number;
  /** Connections that ordinary users may open, and connections in use. */
  connections: { maximum: number; used: number };
  /** Whether the tables exist or may be created. */
  hasTables: boolean;
  mayCreate: boolean;
  isEncrypted: boolean;
  /** Milliseconds by which its clock is ahead of that of this machine. */
  clockLead: number;
}

/** Asks a server; changes nothing. Rejects with a sentence for admins when it does not answer. */
export async function readDatabaseFacts(options: {
  configuration: DatabaseOptions["configuration"];
  log: Log;
}): Promise<DatabaseFacts> {
  const { configuration } = options;
  const database = new Database({ ...options, term: new LeaseTerm(configuration.lease) });
  const { availability } = database;
  try {
    return await database.read(async (connection) => {
      const asked = Date.now();
      const { rows } = await connection.query<Row>(question);
      const [row] = rows;
      if (row === undefined) throw new Error("The server did not say how it is set up");
      const { number, now, maximum, used, ...facts } = row;
      return {
        ...facts,
        name: availability.name,
        isTooOld: number < oldestServer,
        connections: { maximum, used },
        clockLead: now - (asked + Date.now()) / 2,
      };
    });
  } catch (error) {
    if (!isEngineUnavailable(error)) throw error;
    throw new Error(`The engine does not answer: ${availability.detail}`, { cause: availability.cause });
  } finally {
    await database.close();
  }
}

interface Row extends Omit<DatabaseFacts, "name" | "isTooOld" | "connections" | "clockLead"> {
  number: number;
  now: number;
  maximum: number;
  used: number;
}

/** Uses only data that every user may see: of other sessions, their number. */
const question = `
  SELECT current_setting('server_version') AS version,
    current_setting('server_version_num')::int AS number,
    current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS "fullPageWrites",
    current_setting('synchronous_commit') AS "synchronousCommit",
    current_setting('synchronous_standby_names') AS "synchronousStandbys",
    (SELECT count(*)::int FROM pg_stat_replication) AS replicas,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS maximum,
    (SELECT sum(numbackends)::int FROM pg_stat_database) AS used,
    to_regnamespace('slipway') IS NOT NULL AS "hasTables",
    has_database_privilege(current_database(), 'CREATE') AS "mayCreate",
    coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS "isEncrypted",
    (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`;
