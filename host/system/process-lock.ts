/**
 * Locks between processes, also of several containers on one folder, where process ids prove nothing. The owner renews the time
 * of a directory; a directory without renewals has lost its owner. `proper-lockfile` would compare that time with the clock of
 * the machine; this module only watches it for changes, because clocks jump.
 */
import { readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { lock } from "proper-lockfile";
import { errorCode, unlessMissing } from "./errors.js";
import { monotonicTime } from "./time.js";

/** Milliseconds from one renewal to the next. */
const renewal = 1000;
/** Milliseconds without a renewal after which the owner counts as gone. */
const longestSilence = 5000;
/** Milliseconds after which a running owner should have renewed its lock. */
const usualSilence = 2000;
const checkInterval = 50;

export interface LockListeners {
  /** Called once if it takes time to detect whether the owner still runs. */
  waiting?: (owner: string) => void;
  /** Another process took the lock while this one did not run, for example while the machine slept. */
  lost?: () => void;
}

/**
 * Takes the lock `${path}.lock`. Resolves with the function that releases it; with undefined when another process has it. Takes
 * up to five seconds after a crash of an owner in another container or on another machine.
 */
export async function takeLock(
  path: string,
  { waiting, lost }: LockListeners = {},
): Promise<(() => Promise<void>) | undefined> {
  const directory = `${path}.lock`;
  const first = await renewedAt(directory);
  const began = monotonicTime();
  let hasToldWaiting = false;
  for (;;) {
    const release = await tryLock(path, lost);
    if (release !== undefined) return release;
    const renewed = await renewedAt(directory);
    if (renewed === undefined) continue;
    if (renewed !== first) return undefined;
    const silence = monotonicTime() - began;
    if (silence > longestSilence || (await hasOwnerEnded(path))) {
      // Unless another process has taken it meanwhile.
      if ((await renewedAt(directory)) === renewed) await rm(directory, { recursive: true, force: true });
    }
    await pause(checkInterval);
    if (silence > usualSilence && !hasToldWaiting) {
      hasToldWaiting = true;
      waiting?.(await lockOwner(path));
    }
  }
}

/** The process that took the lock last, for messages: "process id 7 on the machine web-1". */
export async function lockOwner(path: string): Promise<string> {
  const { id, machine } = await readOwner(path);
  return id === "" ? "an unknown process id" : `process id ${id} on the machine ${machine}`;
}

/** Certain only if both processes see the same process ids; otherwise missing renewals decide. */
async function hasOwnerEnded(path: string): Promise<boolean> {
  const { id, namespace } = await readOwner(path);
  if (namespace === "" || namespace !== (await processNamespace())) return false;
  try {
    process.kill(Number(id), 0);
    return false;
  } catch (error) {
    return errorCode(error) === "ESRCH";
  }
}

async function readOwner(path: string): Promise<{ id: string; machine: string; namespace: string }> {
  const text = await readFile(ownerFile(path), "utf8").catch(() => "");
  const [id = "", machine = "", namespace = ""] = text.split(" ");
  return { id, machine, namespace };
}

/** The scope of process ids: the boot of the system and the container; empty if unknown. */
async function processNamespace(): Promise<string> {
  try {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    return `${boot.trim()}/${await readlink("/proc/self/ns/pid")}`;
  } catch {
    return "";
  }
}

/** Undefined when the lock is taken. */
async function tryLock(path: string, lost?: () => void): Promise<(() => Promise<void>) | undefined> {
  let release: (() => Promise<void>) | undefined;
  let isReleased = false;
  const hold = async (): Promise<void> => {
    release = await lock(path, {
      realpath: false,
      stale: Number.POSITIVE_INFINITY,
      update: renewal,
      onCompromised: () => void holdAgain(),
    });
  };
  const holdAgain = async (): Promise<void> => {
    release = undefined;
    // Also called when a renewal meets the release.
    if (isReleased) return;
    // Only the directory may have been removed, or the folder around it is being removed.
    await pause(renewal, undefined, { ref: false });
    if (isReleased) return;
    await hold().catch((error: unknown) => {
      if (errorCode(error) === "ELOCKED") lost?.();
    });
  };
  try {
    await hold();
  } catch (error) {
    if (errorCode(error) === "ELOCKED") return undefined;
    throw error;
  }
  // Another user may have left it, whose file cannot be written.
  await rm(ownerFile(path), { force: true });
  await writeFile(ownerFile(path), `${process.pid} ${hostname()} ${await processNamespace()}`);
  return async () => {
    isReleased = true;
    if (release === undefined) return;
    await rm(ownerFile(path), { force: true });
    await release();
  };
}

function ownerFile(path: string): string {
  return `${path}.pid`;
}

/** Milliseconds; undefined when the lock is free. */
async function renewedAt(directory: string): Promise<number | undefined> {
  return (await unlessMissing(stat(directory)))?.mtimeMs;
}
