/** Files that say which process something belongs to, such as a folder or the right to write. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { errorCode } from "./errors.js";

/**
 * Takes the mark for this process. The id of the process that has it, when that one runs still; 0 when another one was quicker
 * just now; undefined when it is taken. A mark whose process is gone (after `kill -9`, after a restart of the machine) counts
 * for nothing.
 */
export async function takeMark(mark: string): Promise<number | undefined> {
  const own = `${process.pid} ${await startOf(process.pid)}`;
  if (await isWritten(mark, own)) return undefined;
  const [owner = "", started = ""] = (await readFile(mark, "utf8").catch(() => "")).split(" ");
  const other = Number(owner);
  if (other !== process.pid && isRunning(other) && (await startOf(other)) === started) return other;
  await rm(mark, { force: true, recursive: true });
  return (await isWritten(mark, own)) ? undefined : 0;
}

/** Gives the mark free. */
export async function leaveMark(mark: string): Promise<void> {
  await rm(mark, { force: true });
}

/** Of two processes that begin at the same moment, one gets the file. */
async function isWritten(mark: string, content: string): Promise<boolean> {
  try {
    await writeFile(mark, content, { flag: "wx" });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

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
