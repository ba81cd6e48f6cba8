/** Writing alone, each time in a process of its own. */
import { fork } from "node:child_process";
import { once } from "node:events";
import type { Contender } from "./contenders.js";

export interface Writing {
  contender: Contender;
  rows: number;
  /** A picture in each row. */
  pictures: boolean;
  /** The cells of this workbook instead of made ones. */
  file?: string;
}

export interface WritingMeasurement {
  milliseconds: number;
  /** Of all threads, milliseconds. */
  cpu: number;
  /** Resident memory before, and the highest one, MiB. */
  before: number;
  peak: number;
  /** Of the workbook. */
  bytes: number;
}

export async function measureWriting(writing: Writing): Promise<WritingMeasurement> {
  const child = fork(new URL("./writing-process.js", import.meta.url), {
    execArgv: [...process.execArgv, "--expose-gc"],
  });
  child.send(writing);
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${writing.contender} failed`)));
  ended.catch(() => undefined);
  const [measured] = await Promise.race([once(child, "message"), ended]);
  return measured;
}
