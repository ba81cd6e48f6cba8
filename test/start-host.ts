/** Starts the real host as a process of its own, the way a user does. Build first: `tsc -b sdk host`. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { failOnStageFaults } from "./stage-faults.js";

export const repository = fileURLToPath(new URL("..", import.meta.url));
/** Of the checkout in a folder. */
export const commandLineOf = (folder: string): string => join(folder, "host", "dist", "cli", "slipway.js");
export const commandLine = commandLineOf(repository);

/** A program of `test/build.mjs` that tests start as a process of its own, such as "host/session-writer". */
export const testProgram = (name: string): string => join(repository, "test", "dist", `${name}.js`);

/** Milliseconds; a busy machine is no reason to fail. */
const patience = 120_000;

export interface StartOptions {
  /** Without it a new temporary folder, which `stop` removes. */
  var?: string;
  /** Drop-in folders instead of those of the repository. */
  plugins?: string[];
  templates?: string[];
  /** Content of a configuration file. */
  configuration?: Record<string, unknown>;
  /** Further flags and environment variables. */
  flags?: string[];
  environment?: Record<string, string>;
  /** Another installation's command line. */
  program?: string;
  /** A command that becomes the host: program and parameters, before those of Node.js. */
  by?: readonly string[];
}

export interface StartedHost {
  url: string;
  process: ChildProcess;
  /** The folder of everything that the host writes. */
  var: string;
  /** Lines of its log so far, parsed. */
  log: Record<string, unknown>[];
  /** Resolves with the first line of the log, past or future, that fits; rejects after two minutes without one. */
  logged(fits: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  /** Resolves with the exit code when the process is gone; null after a signal. */
  exited: Promise<number | null>;
  /** SIGTERM; resolves with the exit code when the process is gone, and removes the folders that were made for it. */
  stop(): Promise<number | null>;
  /** SIGKILL; resolves when the process is gone. Its `var` stays, for a restart. */
  kill(): Promise<void>;
}

/** Resolves when the host says that it listens; rejects with its whole output when it ends before. */
export async function startHost(options: StartOptions = {}): Promise<StartedHost> {
  const own = await mkdtemp(join(tmpdir(), "slipway-test-"));
  const folder = options.var ?? join(own, "var");
  const program = options.program ?? commandLine;
  if (program === commandLine && beginsPrepared(options)) await prepare(folder);
  const [command = process.execPath, ...parameters] = [...(options.by ?? []), process.execPath, program];
  const child = spawn(command, [...parameters, "start", ...(await flagsOf(options, own, folder))], {
    env: { ...cleanEnvironment(), ...options.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit").then(([code]: (number | null)[]) => code ?? null);
  const log = collectLog(child);
  let ending = false;
  child.once("exit", (code, signal) => {
    if (ending) return;
    const errors = log.lines.filter(({ level }) => Number(level) >= 50).map((line) => JSON.stringify(line));
    const said = [...errors.slice(0, 5), log.output().slice(-2000)].join("\n");
    process.stderr.write(`A host ended by itself (${signal ?? code}):\n${said}\n`);
  });
  const url = await inTime(child, "does not listen", log.output, listeningUrl(child, exited, log.output));
  return {
    url,
    process: child,
    var: folder,
    log: log.lines,
    logged: log.logged,
    exited,
    async stop() {
      ending = true;
      child.kill("SIGTERM");
      const code = await inTime(child, "does not end at SIGTERM", log.output, exited);
      await rm(own, { recursive: true, force: true });
      failOnStageFaults(log.lines);
      return code;
    },
    async kill() {
      ending = true;
      child.kill("SIGKILL");
      await exited;
      if (options.var !== undefined) await rm(own, { recursive: true, force: true });
      failOnStageFaults(log.lines);
    },
  };
}

/** Kills a process that takes longer than two minutes, and rejects with what it said. */
export async function inTime<T>(
  child: ChildProcess,
  failure: string,
  output: () => string,
  outcome: Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      child.kill("SIGKILL");
      const said = output().slice(-10_000);
      reject(new Error(`${child.spawnargs.slice(1).join(" ")} ${failure} within two minutes:\n${said}`));
    }, patience);
  });
  try {
    return await Promise.race([outcome, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a host has the plugins that come along and a folder that no host had before. */
function beginsPrepared({ var: folder, plugins }: StartOptions): boolean {
  if (plugins === undefined) return folder === undefined;
  const comesAlong = plugins.some((each) => resolve(each) === join(repository, "plugins"));
  return comesAlong && (folder === undefined || !existsSync(join(folder, "snapshots")));
}

/** Makes a host's folder, `var`, in which the plugins that come along are bundled, as after an earlier start. */
export async function prepare(folder: string): Promise<void> {
  const from = await preparedFolder();
  for (const name of preparedParts)
    await cp(join(from, name), join(folder, name), { recursive: true, verbatimSymlinks: true });
}

let prepared: Promise<string> | undefined;

/** The bundled plugins, that they are known, and the browser's fonts; neither events nor the audit trail. */
const preparedParts = ["plugins.json", "snapshots", "pdf"];

/**
 * The folder of a host that has served the plugins that come with it and ended: others that begin with a copy of it need not
 * bundle them. Made once after each build and each change of a plugin, for all test files.
 */
function preparedFolder(): Promise<string> {
  prepared ??= prepareFolder();
  return prepared;
}

async function prepareFolder(): Promise<string> {
  const plugins = join(repository, "plugins");
  const sources = (await readdir(plugins, { recursive: true })).map((name) => join(plugins, name));
  const times = [join(repository, "host", "dist", "bundled"), plugins, ...sources].map(
    async (path) => (await stat(path)).mtimeMs,
  );
  const newest = Math.round(Math.max(...(await Promise.all(times))));
  const folder = join(repository, "node_modules", ".cache", "slipway-test", `var-${newest}`);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const own = await mkdtemp(`${folder}-`);
  const host = await startHost({ var: own });
  await host.stop();
  // Another test file may have been faster.
  await rename(own, folder).catch(() => rm(own, { recursive: true }));
  return folder;
}

/** A drop-in folder with the plugin that makes reports and no other: commands that start a host need not bundle more. */
export async function reporterAlone(): Promise<string> {
  const folder = join(repository, "node_modules", ".cache", "slipway-test", "reporter-alone");
  await mkdir(folder, { recursive: true });
  // Relative, so that the link still points there when the repository has been moved.
  await symlink(relative(folder, join(repository, "plugins", "reporter")), join(folder, "reporter")).catch(
    (error: unknown) => {
      if (!existsSync(join(folder, "reporter"))) throw error;
    },
  );
  return folder;
}

/** Environment without what would configure the host from outside of a test. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("SLIPWAY_")));
}

async function flagsOf(options: StartOptions, own: string, folder: string): Promise<string[]> {
  const flags = ["--port", "0", "--var", folder];
  for (const plugins of options.plugins ?? []) flags.push("--plugins", plugins);
  for (const templates of options.templates ?? []) flags.push("--templates", templates);
  if (options.configuration !== undefined) {
    const file = join(own, "slipway.json");
    await writeFile(file, JSON.stringify(options.configuration));
    flags.push("--config", file);
  }
  return [...flags, ...(options.flags ?? [])];
}

async function listeningUrl(
  child: ChildProcess,
  exited: Promise<number | null>,
  output: () => string,
): Promise<string> {
  if (child.stdout === null) throw new Error("The host has no standard output");
  const lines = createInterface({ input: child.stdout });
  const said = new Promise<string>((resolve) => {
    lines.on("line", (line) => {
      const url = /^Slipway listening on (http:\/\/\S+)$/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const ended = exited.then((code): never => {
    throw new Error(`The host ended with ${code} before it listened:\n${output()}`);
  });
  ended.catch(() => undefined);
  return Promise.race([said, ended]);
}

function collectLog(child: ChildProcess) {
  const lines: Record<string, unknown>[] = [];
  const raw: string[] = [];
  const waiting = new Set<(line: Record<string, unknown>) => void>();
  if (child.stderr === null) throw new Error("The host has no standard error");
  createInterface({ input: child.stderr }).on("line", (text) => {
    raw.push(text);
    const line = parsed(text);
    if (line === undefined) return;
    lines.push(line);
    for (const look of waiting) look(line);
  });
  const logged = (fits: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> => {
    const past = lines.find(fits);
    if (past !== undefined) return Promise.resolve(past);
    return new Promise((resolve, reject) => {
      const look = (line: Record<string, unknown>): void => {
        if (!fits(line)) return;
        waiting.delete(look);
        clearTimeout(timer);
        resolve(line);
      };
      waiting.add(look);
      const timer = setTimeout(() => {
        waiting.delete(look);
        reject(new Error(`No line of the log fits ${fits}; the last ones:\n${raw.slice(-20).join("\n")}`));
      }, patience);
    });
  };
  return { lines, logged, output: () => raw.join("\n") };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
