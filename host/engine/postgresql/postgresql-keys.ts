import type { Log } from "@slipway/sdk";
import type { KeySource } from "../../security/key-source.js";
import { keysText, parseKeys } from "../../security/stored-keys.js";
import type { Connection } from "./connection.js";
import type { Counters } from "./counters.js";
import type { Database } from "./database.js";

export interface PostgresqlKeysOptions {
  database: Database;
  counters: Counters;
  /** The key file of this host; an engine without keys takes them over. */
  file: KeySource;
  log: Log;
}

/** The keys of all hosts, as one text, so that they are checked like those of a file. */
export function createPostgresqlKeys({ database, counters, file, log }: PostgresqlKeysOptions): KeySource {
  const name = `what ${database.availability.name} has as keys`;

  /** Undefined without a text. */
  const stored = async (connection: Connection): Promise<string | undefined> => {
    const { rows } = await connection.query<{ content: string }>("SELECT content FROM slipway.keys");
    return rows[0]?.content;
  };
  const increase = (connection: Connection) =>
    connection.query("UPDATE slipway.counter SET value = value + 1 WHERE name = 'keys'");

  /** Takes over the keys of this host: it must not become open, or closed to its clients, once it shares an engine. */
  const takeOver = async (): Promise<string | undefined> => {
    const text = await file.read();
    if (text === undefined) return undefined;
    parseKeys(text, file.name);
    return await database.transaction(async (connection) => {
      const { rowCount } = await connection.query(
        "INSERT INTO slipway.keys (content) VALUES ($1) ON CONFLICT (one) DO NOTHING",
        [text],
      );
      if (rowCount === 1) {
        await increase(connection);
        log.info("The keys of this host are those of all hosts from now on", { from: file.name });
      }
      return await stored(connection);
    });
  };

  return {
    name,
    read: async () => (await database.read(stored)) ?? (await takeOver()),
    follow: (changed) => counters.follow("keys", async () => changed()),
    async change(change) {
      await takeOver();
      await database.transaction(async (connection) => {
        await connection.query(
          "INSERT INTO slipway.keys (content) VALUES ($1) ON CONFLICT (one) DO NOTHING",
          [keysText([])],
        );
        const { rows } = await connection.query<{ content: string }>(
          "SELECT content FROM slipway.keys FOR UPDATE",
        );
        const keys = change(parseKeys(rows[0]?.content ?? keysText([]), name));
        await connection.query("UPDATE slipway.keys SET content = $1", [keysText(keys)]);
        await increase(connection);
      });
    },
  };
}
