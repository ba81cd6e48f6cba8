import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Contender, Input } from "./contenders.js";

export interface Measured {
  content: Uint8Array;
  /** Of the work alone, without the way there and back. */
  milliseconds: number;
  /** Milliseconds of all its threads. */
  cpu: number;
}

/** A process in which one contender works. */
export class MeasuredProcess {
  private readonly child: ChildProcess = fork(new URL("./contender-process.js", import.meta.url), {
    serialization: "advanced",
  });

  constructor(private readonly contender: Contender) {}

  async measure(input: Input): Promise<Measured> {
    this.child.send({ contender: this.contender, input });
    const [measured] = await Promise.race([
      once(this.child, "message"),
      once(this.child, "exit").then(() => Promise.reject(new Error(`${this.contender} failed`))),
    ]);
    return measured;
  }

  stop(): void {
    this.child.kill();
  }
}
