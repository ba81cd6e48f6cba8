import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { RequestError } from "@slipway/sdk";
import type { PdfConfiguration } from "../../configuration/pdf-configuration.js";
import { builtFolder } from "../../system/installation.js";
import { residentMemory } from "../../system/resident-memory.js";
import { type FinishedPdf, type FinishOrder, finishReply } from "./finish-messages.js";

const memoryCheckEvery = 100;

/** A report could not be finished; it is still good as it was. `message` says why, for the log. */
export class FinishError extends Error {
  override readonly name = "FinishError";
}

/** A process that finishes one report, started ahead while the report is still being printed. */
export class FinishingProcess {
  private readonly child: ChildProcess;

  /** Throws `FinishError` if the system has no room for a process. */
  constructor(private readonly limits: PdfConfiguration["attachments"]) {
    try {
      this.child = fork(join(builtFolder, "pdf", "finish", "finish-in-process.js"), {
        serialization: "advanced",
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        execArgv: [`--max-old-space-size=${limits.memory}`],
        env: {},
      });
    } catch (error) {
      throw new FinishError("no process could be started", { cause: error });
    }
    // A process that could not be started has an exit code; without a listener its error would end the host.
    this.child.on("error", () => undefined);
  }

  /** Throws `FinishError` when the time, the memory or the process ends first, or the signal's reason. */
  async finish(order: FinishOrder, signal: AbortSignal): Promise<FinishedPdf> {
    const { child } = this;
    const watch = setInterval(() => this.checkMemory(), memoryCheckEvery);
    const timer = setTimeout(() => this.stop(), this.limits.timeout);
    const stop = (): void => this.stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await new Promise<FinishedPdf>((resolve, reject) => {
        const failed = (reason: string): void => reject(new FinishError(reason));
        const ended = (): void => failed("the process ended, or was ended for its time or memory");
        child.once("message", (message: unknown) => {
          const reply = finishReply(message);
          if ("failure" in reply) failed(reply.failure);
          else resolve(reply);
        });
        child.once("exit", ended);
        child.once("error", ended);
        if (child.exitCode !== null || child.signalCode !== null) ended();
        else child.send(order, (error) => error && ended());
      });
    } catch (error) {
      if (signal.aborted && signal.reason instanceof RequestError) throw signal.reason;
      throw error;
    } finally {
      clearInterval(watch);
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      this.stop();
    }
  }

  /** Ends the process, whether it was used or not. */
  stop(): void {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill("SIGKILL");
  }

  /** The limit of the JavaScript heap does not cover buffers, so the whole process is watched (where the system tells). */
  private async checkMemory(): Promise<void> {
    const { pid } = this.child;
    const resident = pid === undefined ? undefined : await residentMemory(pid);
    if ((resident ?? 0) > this.limits.memory * 1024 ** 2 * 1.5) this.stop();
  }
}
