/** The folder of everything that is written at run time, and the mark that says which host it belongs to. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "./error-code.js";
import { leaveMark, takeMark } from "./process-mark.js";
import { storageProblem } from "./storage-error.js";

export interface VarFolder {
  /** For uploads while they come in; empty at every start. */
  uploads: string;
  /** Gives the folder free for another host. */
  leave(): Promise<void>;
}

/** Makes the folder ready. Rejects with a message for people when it cannot be written or another host uses it. */
export async function prepareVar(folder: string): Promise<VarFolder> {
  const uploads = join(folder, "tmp");
  const mark = join(folder, "host.pid");
  try {
    await mkdir(folder, { recursive: true });
    const owner = await takeMark(mark);
    if (owner !== undefined) throw inUse(folder, owner);
    await rm(uploads, { recursive: true, force: true });
    await mkdir(uploads);
  } catch (error) {
    throw explained(error, folder);
  }
  return { uploads, leave: () => leaveMark(mark) };
}

class VarInUse extends Error {}

function inUse(folder: string, owner: number): VarInUse {
  if (owner === 0)
    return new VarInUse(
      `Another host has just begun to use the folder ${folder}; choose another with --var.`,
    );
  return new VarInUse(
    `The folder ${folder} is in use by the host with process id ${owner}; choose another with --var.`,
  );
}

function explained(error: unknown, folder: string): unknown {
  if (error instanceof VarInUse) return error;
  const problem = storageProblem(error);
  const mend = problem === "there is no room" ? "make some on its disk" : "make it writable for this user";
  return new Error(
    `The folder ${folder} cannot be used: ${problem ?? errorCode(error) ?? String(error)}; ${mend}, or choose another with --var.`,
    { cause: error },
  );
}
