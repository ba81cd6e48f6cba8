/** The folder of everything that is written at run time, and the mark that says which host it belongs to. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "./error-code.js";

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
    await takeMark(mark, folder);
    await rm(uploads, { recursive: true, force: true });
    await mkdir(uploads);
  } catch (error) {
    throw explained(error, folder);
  }
  return { uploads, leave: () => rm(mark, { force: true }) };
}

/** A mark whose process is gone (after `kill -9`, after a restart of the machine) counts for nothing. */
async function takeMark(mark: string, folder: string): Promise<void> {
  const own = `${process.pid} ${await startOf(process.pid)}`;
  if (await isWritten(mark, own)) return;
  const [owner = "", started = ""] = (await readFile(mark, "utf8").catch(() => "")).split(" ");
  const other = Number(owner);
  if (other !== process.pid && isRunning(other) && (await startOf(other)) === started) {
    throw new VarInUse(
      `The folder ${folder} is in use by the host with process id ${other}; choose another with --var.`,
    );
  }
  await rm(mark, { force: true });
  if (!(await isWritten(mark, own)))
    throw new VarInUse(`Another host has just begun to use the folder ${folder}; choose another with --var.`);
}

/** Of two hosts that start at the same moment, one gets the file. */
async function isWritten(mark: string, content: string): Promise<boolean> {
  try {
    await writeFile(mark, content, { flag: "wx" });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

class VarInUse extends Error {}

function isRunning(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/**
 * When the process started, in ticks since the machine did; empty where the system does not tell. In containers the
 * same few process ids come again and again, so that the number alone says little.
 */
async function startOf(processId: number): Promise<string> {
  const stat = await readFile(`/proc/${processId}/stat`, "utf8").catch(() => "");
  // Field 22; the second one is a name in parentheses, which may hold blanks.
  return stat.replace(/^.*\) /s, "").split(" ")[19] ?? "";
}

function explained(error: unknown, folder: string): unknown {
  if (error instanceof VarInUse) return error;
  return new Error(
    `The folder ${folder} cannot be written (${errorCode(error) ?? String(error)}); make it writable for this user, or choose another with --var.`,
    { cause: error },
  );
}
