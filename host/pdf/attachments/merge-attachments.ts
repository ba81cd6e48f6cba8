import { type ChildProcess, fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { RequestError } from "@slipway/sdk";
import type { PdfConfiguration } from "../pdf-configuration.js";
import type { MergeReply, MergeRequest } from "./merge-messages.js";

const memoryCheckEvery = 100;
const pageBytes = 4096;

/** Joining failed: of the attachments, not of the report, which is still good. `message` is fit for a client. */
export class MergeError extends Error {
  override readonly name = "MergeError";
}

/** A joining process that is started ahead, while the report is still being printed. */
export class AttachmentMerger {
  private readonly child: ChildProcess;

  constructor(private readonly limits: PdfConfiguration["attachments"]) {
    this.child = fork(new URL("./merge-process.js", import.meta.url), {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      execArgv: [`--max-old-space-size=${limits.memory}`],
      env: {},
    });
  }

  /** Throws `MergeError` when the time, the memory or the process ends first, or the signal's reason. */
  async merge(request: MergeRequest, signal: AbortSignal): Promise<MergeReply> {
    const { child } = this;
    const watch = setInterval(() => this.checkMemory(), memoryCheckEvery);
    const timer = setTimeout(() => this.stop(), this.limits.timeout);
    const stop = (): void => this.stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await new Promise<MergeReply>((resolve, reject) => {
        const failed = (): void =>
          reject(new MergeError("the attachments could not be joined within the limits"));
        child.once("message", (reply: MergeReply) => resolve(reply));
        child.once("exit", failed);
        child.once("error", failed);
        if (child.exitCode !== null || child.signalCode !== null) failed();
        else child.send(request, (error) => error && failed());
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

  /** The limit of the JavaScript heap does not cover buffers, so the whole process is watched (where `/proc` tells). */
  private async checkMemory(): Promise<void> {
    const text = await readFile(`/proc/${this.child.pid}/statm`, "utf8").catch(() => "");
    const resident = Number(text.split(" ")[1] ?? 0) * pageBytes;
    if (resident > this.limits.memory * 1024 ** 2 * 1.5) this.stop();
  }
}
