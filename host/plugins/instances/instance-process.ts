import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Duplex, type Readable } from "node:stream";
import type { Log } from "@slipway/sdk";
import type { MemoryLimits } from "../../configuration/plugin-limits.js";
import type { Confinement } from "../../system/confinement/confinement.js";
import { deprecationParameters } from "../../system/deprecations.js";
import { privateFolder } from "../../system/durable-files.js";
import { builtFolder, sdkFolder } from "../../system/installation.js";
import { type ProcessEnd, SupervisedProcess } from "../../system/supervised-process.js";
import { settlesWithin } from "../../system/time.js";
import type { GrantedPermissions } from "../permissions/permissions.js";
import { InstanceLog } from "./instance-reports.js";
import { channelDescriptor, type InstanceArguments } from "./messages.js";

const maximumLine = 4000;

const bytesPerSecond = 64 * 1024;

/** Milliseconds for a process to end after SIGTERM. */
const afterTerm = 2000;

/** The process of an instance: its output, memory and end. */
export class InstanceProcess {
  /** The channel. */
  readonly stream: Duplex;
  readonly log: InstanceLog;
  /** Resolves with the reason when the process has ended and its output has been read. */
  readonly gone: Promise<string>;
  private readonly process: SupervisedProcess;
  private cause: string | undefined;
  private heapExhausted = false;

  /** Throws when the system refuses to start the process. */
  constructor(options: {
    label: string;
    folder: string;
    packageFolder: string;
    confinement: Confinement;
    permissions: GrantedPermissions;
    maximumFrame: number;
    sourceMaps: boolean;
    memory: MemoryLimits;
    log: Log;
    /** The log of a request, by its number in this process. */
    logOf(request: number): Log | undefined;
    aboveMemory(limit: "soft" | "hard", megabytes: number): void;
  }) {
    const { memory, permissions, confinement } = options;
    for (const [name, path] of permissions.folders)
      if (!existsSync(path))
        throw new Error(`The folder ${JSON.stringify(name)} that it is granted is not there.`);
    const temporary = permissions.temporary ? temporaryFolder(confinement) : undefined;
    const { child, stream, isWrapped } = spawnInstance({ ...options, temporary, heapMegabytes: memory.heap });
    this.stream = stream;
    this.log = new InstanceLog(options.log, { plugin: options.label, processId: child.pid }, options.logOf);
    this.readOutput(child);
    this.process = new SupervisedProcess(child, {
      // Children of the plugin share its process group.
      group: true,
      isWrapped,
      streams: [stream, child.stderr],
      keepsOutput: false,
    });
    this.gone = this.process.gone.then(async (end) => {
      if (temporary !== undefined)
        await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
      return this.reason(end);
    });
    const { aboveMemory } = options;
    this.process.watchMemory([
      { mebibytes: memory.hard, exceeded: (megabytes) => aboveMemory("hard", megabytes) },
      { mebibytes: memory.soft, exceeded: (megabytes) => aboveMemory("soft", megabytes) },
    ]);
  }

  get id(): number | undefined {
    return this.process.id;
  }

  /** Whether the host has ended the process. */
  get condemned(): boolean {
    return this.cause !== undefined;
  }

  kill(cause: string): void {
    this.cause ??= cause;
    this.process.signal("SIGKILL");
  }

  /** Ends the process with SIGTERM; kills it after a timeout. */
  async end(cause: string): Promise<void> {
    this.cause ??= cause;
    this.process.signal("SIGTERM");
    if (!(await settlesWithin(this.gone, afterTerm))) this.kill(cause);
    await this.gone;
  }

  private readOutput({ stdout, stderr }: ChildProcess): void {
    if (stdout !== null) eachLine(stdout, (line) => this.log.printed(line, "stdout"));
    if (stderr === null) return;
    eachLine(stderr, (line) => {
      if (line.includes("heap out of memory")) this.heapExhausted = true;
      this.log.printed(line, "stderr");
    });
  }

  private reason({ error, code, signal }: ProcessEnd): string {
    if (error !== undefined) return `it could not be started: ${error.message}`;
    if (this.cause !== undefined) return this.cause;
    if (this.heapExhausted) return "its heap was full (heap of plugins.memory or plugins.limits)";
    return signal === null ? `it ended itself with exit code ${code}` : `it was ended by ${signal}`;
  }
}

/**
 * Emits the output of a process line by line. Truncates long lines and pauses reading when the process prints more than
 * the limit per second, so that printing costs the host little.
 */
function eachLine(stream: Readable, line: (text: string) => void): void {
  let rest = "";
  let budget = bytesPerSecond;
  let refill: NodeJS.Timeout | undefined;
  const emit = (text: string): void => {
    const trimmed = text.trimEnd();
    if (trimmed !== "") line(trimmed.length > maximumLine ? `${trimmed.slice(0, maximumLine)}…` : trimmed);
  };
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const each of lines) emit(each);
    if (rest.length > maximumLine) {
      emit(rest);
      rest = "";
    }
    budget -= chunk.length;
    if (budget < 0) stream.pause();
    refill ??= setTimeout(() => {
      refill = undefined;
      budget = bytesPerSecond;
      stream.resume();
    }, 1000).unref();
  });
  stream.on("close", () => {
    clearTimeout(refill);
    emit(rest);
  });
  stream.on("error", () => undefined);
}

interface SpawnedInstance {
  child: ChildProcess;
  stream: Duplex;
  isWrapped: boolean;
}

/** A new private folder for the temporary files of one process. */
function temporaryFolder({ folder }: Confinement): string {
  mkdirSync(folder, { recursive: true, mode: privateFolder });
  return mkdtempSync(join(folder, "temporary-"));
}

/** The only environment variables that a plugin sees without a grant; none can hold a secret. */
const visibleVariables = ["TZ", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SystemRoot"];

/**
 * MiB of each half of the space for new objects; without, 16, which a busy plugin keeps in whole. Exports of 10,000 articles take
 * as long with either, and a tenth longer with half of this.
 */
const semiSpace = 8;

/** The allocator of glibc gives blocks from 128 KB on back at once. By default it keeps what a large request took. */
const allocator = { MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" };

/**
 * Starts the program of an instance in its own process group, so that child processes of the plugin end with it and a
 * terminal signal reaches only the host, which then drains. Throws when the process cannot be started.
 */
function spawnInstance(options: {
  folder: string;
  packageFolder: string;
  confinement: Confinement;
  permissions: GrantedPermissions;
  /** Where it can have temporary files. */
  temporary: string | undefined;
  heapMegabytes: number;
  maximumFrame: number;
  /** Whether stacks name the original sources of a bundle with a source map. */
  sourceMaps: boolean;
}): SpawnedInstance {
  const parameters: InstanceArguments = { maximumFrame: options.maximumFrame };
  const { folder, packageFolder, permissions, temporary } = options;
  const { access } = permissions;
  const {
    command,
    parameters: all,
    isWrapped,
  } = options.confinement.command(
    [
      `--max-old-space-size=${options.heapMegabytes}`,
      `--max-semi-space-size=${semiSpace}`,
      // For `IdleMemory`: confined, it may not use the inspector.
      ...(options.confinement.mode === "off" ? [] : ["--expose-gc"]),
      ...(options.sourceMaps ? ["--enable-source-maps"] : []),
      ...deprecationParameters(),
      ...packedSdkParameters(),
      join(builtFolder, "plugins", "instances", "child", "main.js"),
      JSON.stringify(parameters),
    ],
    {
      ...access,
      readable: [folder, packageFolder, ...access.readable],
      writable: temporary === undefined ? access.writable : [...access.writable, temporary],
    },
    folder,
  );
  const child = spawn(command, all, {
    cwd: folder,
    env: {
      ...visible([...visibleVariables, ...permissions.environment]),
      ...allocator,
      ...(temporary !== undefined && { TMPDIR: temporary, TEMP: temporary }),
    },
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  const stream = child.stdio[channelDescriptor];
  if (!(stream instanceof Duplex)) throw new Error("The process of a plugin could not be started.");
  return { child, stream, isWrapped };
}

/**
 * Node.js parameters that import the SDK from one packed file instead of hundreds, which dominate the start time. Empty
 * when the packed file is missing or older than the build. An npm package has no build record; there the packed file is
 * always current.
 */
function packedSdkParameters(): string[] {
  const built = modified(".tsbuildinfo") ?? 0;
  const packed = modified("packed.js");
  const isCurrent = packed !== undefined && packed >= built;
  return isCurrent ? ["--conditions=slipway-packed"] : [];
}

/** Modification time of a file of the built SDK, in milliseconds. */
function modified(name: string): number | undefined {
  return statSync(join(sdkFolder, "dist", name), { throwIfNoEntry: false })?.mtimeMs;
}

function visible(names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
