import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { builtFolder, sdkFolder } from "../../system/installation.js";
import { channelDescriptor, type InstanceArguments } from "./messages.js";

export interface SpawnedInstance {
  child: ChildProcess;
  stream: Duplex;
}

/** The little of the host's environment that a plugin may see: nothing that could be a secret. */
const visibleVariables = ["TZ", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SystemRoot"];

/**
 * Starts the program of an instance in a process group of its own, so that whatever the plugin starts ends with it and
 * a signal from the terminal reaches only the host, which then drains. Throws when the process cannot be started.
 */
export function spawnInstance(options: {
  folder: string;
  heapMegabytes: number;
  maximumFrame: number;
  /** Stacks name the sources that a bundle was made of, where it has a map of them. */
  sourceMaps: boolean;
}): SpawnedInstance {
  const parameters: InstanceArguments = { hostProcess: process.pid, maximumFrame: options.maximumFrame };
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${options.heapMegabytes}`,
      ...(options.sourceMaps ? ["--enable-source-maps"] : []),
      ...packedSdkParameters(),
      join(builtFolder, "plugins", "instances", "child", "main.js"),
      JSON.stringify(parameters),
    ],
    {
      cwd: options.folder,
      env: scrubbedEnvironment(),
      detached: process.platform !== "win32",
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      windowsHide: true,
    },
  );
  const stream = child.stdio[channelDescriptor];
  if (!(stream instanceof Duplex)) throw new Error("The process of a plugin could not be started.");
  return { child, stream };
}

/** Ends an instance and everything that it started. */
export function killInstance(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, signal);
  } catch {
    // Nothing of it is left.
  }
}

/**
 * Parameters of Node.js with which the process imports the SDK from one file instead of from hundreds, which is most of
 * what starting it costs; none where that file is missing or older than the build that it was made of. A package that
 * npm installed has no record of a build: there the two belong together.
 */
function packedSdkParameters(): string[] {
  const built = modified(".tsbuildinfo") ?? 0;
  const packed = modified("packed.js");
  const isCurrent = packed !== undefined && packed >= built;
  return isCurrent ? ["--conditions=slipway-packed"] : [];
}

/** When a file of the built SDK was written, in milliseconds. */
function modified(name: string): number | undefined {
  return statSync(join(sdkFolder, "dist", name), { throwIfNoEntry: false })?.mtimeMs;
}

function scrubbedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    visibleVariables.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
