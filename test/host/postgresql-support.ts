/** Databases for tests, and a PostgreSQL of a test's own. Uses the part itself. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import type { Test } from "tap";
import type { Engine } from "../../host/engine/engine.js";
import { errorCode } from "../../host/system/errors.js";
import { type EngineKind, engineAt, silent } from "./engine-support.js";

/** Why tests with a database are left out. */
export const noServer =
  "there is no PostgreSQL that lets this user in: neither at SLIPWAY_TEST_POSTGRES nor at 127.0.0.1:5432";

/** The URL of a server that lets this user make databases; undefined without one. */
export async function findServer(): Promise<string | undefined> {
  const local = `postgresql://${encodeURIComponent(userInfo().username)}@127.0.0.1:5432/postgres`;
  const url = process.env["SLIPWAY_TEST_POSTGRES"] ?? local;
  return await command(url, "SELECT 1").then(
    () => url,
    () => undefined,
  );
}

/** Runs statements on a connection of their own. */
export async function command(url: string, text: string): Promise<void> {
  await rowsOf(url, text);
}

/** Whether a query has rows. */
export async function finds(url: string, query: string): Promise<boolean> {
  return (await rowsOf(url, query)) > 0;
}

async function rowsOf(url: string, text: string): Promise<number> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query(text);
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** A new database on a server; it is gone at the end of the test. */
export async function newDatabase(test: Test, server: string): Promise<string> {
  const name = `slipway_test_${randomBytes(8).toString("hex")}`;
  await command(server, `CREATE DATABASE ${name}`);
  test.teardown(() => command(server, `DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
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
            `UPDATE slipway.session SET expires_at = expires_at - interval '${milliseconds} milliseconds';
             UPDATE slipway.artifact SET created_at = created_at - interval '${milliseconds} milliseconds',
               expires_at = expires_at - interval '${milliseconds} milliseconds',
               removed_at = removed_at - interval '${milliseconds} milliseconds';
             UPDATE slipway.idempotency SET due_at = due_at - interval '${milliseconds} milliseconds',
               expires_at = expires_at - interval '${milliseconds} milliseconds';
             UPDATE slipway.job SET due_at = due_at - interval '${milliseconds} milliseconds',
               expires_at = expires_at - interval '${milliseconds} milliseconds'`,
          ),
      };
    },
  };
}

/** A PostgreSQL of a test's own, which it may stop. */
export interface OwnServer {
  url: string;
  start(): Promise<void>;
  /** `immediate`: as after a crash. */
  stop(mode?: "fast" | "immediate"): Promise<void>;
  /** Its connections stay, and nothing answers on them. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

const run = promisify(execFile);

/** The folder of PostgreSQL's programs, as Debian has them, or of those in the path; undefined without any. */
export async function findPrograms(): Promise<string | undefined> {
  const installed = "/usr/lib/postgresql";
  const versions = existsSync(installed) ? await readdir(installed) : [];
  const newest = versions.sort((one, other) => Number(other) - Number(one))[0];
  const folders = [...(newest === undefined ? [] : [join(installed, newest, "bin")])];
  folders.push(...(process.env["PATH"] ?? "").split(":"));
  return folders.find((folder) => existsSync(join(folder, "initdb")));
}

/** Starts a PostgreSQL with data of its own; it is gone at the end of the test. Root needs another user for it. */
export async function ownServer(test: Test, programs: string): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-test-"));
  const owner = process.getuid?.() === 0 ? await ordinaryUser() : undefined;
  if (owner !== undefined) {
    await run("chown", [owner, folder]);
    await chmod(folder, 0o700);
  }
  const data = join(folder, "data");
  const port = await freePort();
  const started = (program: string, parameters: readonly string[]) => {
    const file = join(programs, program);
    return owner === undefined
      ? run(file, parameters, { cwd: folder })
      : run("setpriv", [`--reuid=${owner}`, `--regid=${owner}`, "--clear-groups", file, ...parameters], {
          cwd: "/",
        });
  };
  /** To the server with all its processes. */
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    const [leader = ""] = (await readFile(join(data, "postmaster.pid"), "utf8")).split("\n");
    // Not as a group: each of them has its own. The leader first, which would start new ones.
    process.kill(Number(leader), name);
    const { stdout } = await run("ps", ["-o", "pid=", "--ppid", leader]);
    for (const child of stdout.trim().split(/\s+/)) {
      try {
        process.kill(Number(child), name);
      } catch (error) {
        // One that has ended meanwhile.
        if (errorCode(error) !== "ESRCH") throw error;
      }
    }
  };
  await started("initdb", ["-D", data, "-A", "trust", "-U", "slipway", "--no-sync"]);
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories='' -c fsync=off`;
  const server: OwnServer = {
    url: `postgresql://slipway@127.0.0.1:${port}/postgres`,
    start: async () => {
      await started("pg_ctl", ["-D", data, "-w", "-l", join(folder, "log"), "-o", options, "start"]);
    },
    stop: async (mode = "fast") => {
      await started("pg_ctl", ["-D", data, "-w", "-m", mode, "stop"]);
    },
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
  };
  test.teardown(async () => {
    await server.thaw().catch(() => undefined);
    await server.stop("immediate").catch(() => undefined);
    await rm(folder, { recursive: true });
  });
  await server.start();
  return server;
}

/** PostgreSQL refuses to run as root. */
async function ordinaryUser(): Promise<string> {
  for (const name of ["postgres", "nobody"]) {
    const found = await run("id", ["-u", name]).catch(() => undefined);
    if (found !== undefined) return found.stdout.trim();
  }
  throw new Error("There is no ordinary user for PostgreSQL");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("There is no port");
  return address.port;
}
