/** Host side of a rendering process: asks one question at a time and kills the process if needed. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { type Log, Validator } from "@slipway/sdk";
import { builtFolder } from "../system/installation.js";
import {
  type RenderProcessMessage,
  type RenderProcessOptions,
  RenderProcessReply,
} from "./render-messages.js";

const entry = join(builtFolder, "templates", "render-process.js");
const checkReply = new Validator({ lazy: true }).compile(RenderProcessReply, "reply");
const keptOutput = 4000;

/** The process ended before its reply. */
export class ProcessEnded extends Error {
  override readonly name = "ProcessEnded";

  constructor(
    readonly reason: "memory" | "ended",
    detail: string,
  ) {
    super(detail);
  }
}

interface Question {
  /** The log of the request. */
  log: Log;
  resolve(reply: RenderProcessReply): void;
  reject(error: ProcessEnded): void;
}

export class RenderingProcess {
  /** Versions that the process has loaded. */
  readonly loaded = new Set<string>();
  /** Resolves when the process accepts questions; rejects when it ends first. */
  readonly ready: Promise<unknown>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** The process ends and accepts no questions. */
  ending = false;
  private readonly child: ChildProcess;
  private question: Question | undefined;
  private errorOutput = "";

  constructor(
    options: RenderProcessOptions,
    memoryLimit: number,
    private readonly log: Log,
  ) {
    this.child = fork(entry, [JSON.stringify(options)], {
      env: {},
      execArgv: [`--max-old-space-size=${memoryLimit}`, "--no-warnings"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.errorOutput = (this.errorOutput + text).slice(0, keptOutput);
    });
    this.ended = new Promise((resolve) => {
      this.child.once("close", (code, signal) => {
        this.finish(code, signal);
        resolve();
      });
    });
    this.ready = new Promise<RenderProcessReply>((resolve, reject) => {
      this.question = { resolve, reject, log };
    });
    this.ready.catch(() => undefined);
    this.child.on("message", (message) => this.receive(message));
    // A failed write or start is followed by "close" with the reason.
    this.child.on("error", (error) => log.debug("A channel to a rendering process failed.", { error }));
  }

  /** Rejects with `ProcessEnded`. The caller awaits `ready` and the previous reply first. */
  ask(message: RenderProcessMessage, log: Log): Promise<RenderProcessReply> {
    return new Promise((resolve, reject) => {
      this.question = { resolve, reject, log };
      this.child.send(message);
    });
  }

  forget(version: string): void {
    if (this.loaded.delete(version) && this.child.connected) this.child.send({ type: "forget", version });
  }

  /** Whether other versions are loaded. */
  holdsBeside(version: string): boolean {
    return this.loaded.size > (this.loaded.has(version) ? 1 : 0);
  }

  kill(): void {
    this.ending = true;
    this.child.kill("SIGKILL");
  }

  private receive(message: unknown): void {
    const reply = checkReply(message);
    if (!reply.ok) {
      this.log.error("A rendering process sent an unexpected message and is ended.");
      this.kill();
      return;
    }
    const question = this.question;
    this.question = undefined;
    if (reply.value.type === "overtime") this.ending = true;
    question?.resolve(reply.value);
  }

  private finish(code: number | null, signal: NodeJS.Signals | null): void {
    this.ending = true;
    const memory = this.errorOutput.includes("out of memory") || signal === "SIGABRT";
    const detail = `A rendering process ended with ${signal ?? `code ${code}`}.`;
    const expected = signal === "SIGKILL" || this.errorOutput === "";
    if (!expected) (this.question?.log ?? this.log).warn(detail, { output: this.errorOutput });
    this.question?.reject(new ProcessEnded(memory ? "memory" : "ended", detail));
    this.question = undefined;
  }
}
