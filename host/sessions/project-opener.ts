import { type ChildProcess, fork } from "node:child_process";
import { RequestError, unpackedObkSize } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { packedSdkParameters } from "../packed-sdk.js";
import { type OpenedProject, openProject } from "./open-project.js";
import type { OpeningAnswer, OpeningQuestion } from "./opening-messages.js";
import { type DeclaredFormat, projectFormat } from "./project-format.js";
import { Turns } from "./turns.js";

/** Bytes, unpacked, up to which opening a project takes no longer than starting to hand it over would. */
const small = 512 * 1024;
/** How long the process waits for another project, in milliseconds. */
const patience = 30_000;

/** Opens projects: small ones here, large ones one after the other in a process of their own. */
export class ProjectOpener {
  private readonly turns = new Turns();
  private waiting = 0;
  private child: ChildProcess | undefined;
  /** Megabytes that the process may take. */
  private memory = 0;
  private rest: NodeJS.Timeout | undefined;

  constructor(private readonly limits: Configuration["sessions"]["opening"]) {}

  /**
   * As `openProject`. Rejects with 503 `request-overloaded` when too many wait, 413 `request-too-large` for a project
   * that takes more memory than one may, and 504 `request-timeout` for one that takes longer.
   */
  async open(
    bytes: Uint8Array,
    declared: DeclaredFormat,
    held: ReadonlySet<string> = new Set(),
  ): Promise<OpenedProject> {
    if (await isSmall(bytes, declared)) return openProject(bytes, declared, held);
    if (this.waiting >= this.limits.queue) throw overloaded();
    this.waiting += 1;
    try {
      const answer = await this.turns.take("", () => this.ask({ bytes, declared, held }));
      if ("project" in answer) return answer.project;
      throw "refused" in answer ? RequestError.from(answer.refused) : new Error(answer.failed);
    } finally {
      this.waiting -= 1;
    }
  }

  /** Ends the process; what it works on fails. */
  stop(): void {
    clearTimeout(this.rest);
    this.child?.kill("SIGKILL");
    this.child = undefined;
  }

  private async ask(question: OpeningQuestion): Promise<OpeningAnswer> {
    clearTimeout(this.rest);
    if (this.memory !== this.limits.memory) this.stop();
    this.memory = this.limits.memory;
    this.child ??= startedProcess(this.memory);
    const { child } = this;
    let timer: NodeJS.Timeout | undefined;
    try {
      const answer = await new Promise<OpeningAnswer>((resolve, reject) => {
        timer = setTimeout(() => reject(tooLong(this.limits.timeout)), this.limits.timeout);
        child.once("message", (reply: OpeningAnswer) => resolve(reply));
        child.once("exit", (_code, signal) => reject(signal === null ? new Error("It ended.") : tooHeavy()));
        child.once("error", reject);
        child.send(question, (error) => error && reject(error));
      });
      this.rest = setTimeout(() => this.stop(), patience).unref();
      return answer;
    } catch (error) {
      this.stop();
      throw error;
    } finally {
      clearTimeout(timer);
      child.removeAllListeners();
      child.on("error", () => undefined);
    }
  }
}

function startedProcess(megabytes: number): ChildProcess {
  return fork(new URL("./opening-process.js", import.meta.url), {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    execArgv: [`--max-old-space-size=${megabytes}`, ...packedSdkParameters()],
    env: {},
  });
}

async function isSmall(bytes: Uint8Array, declared: DeclaredFormat): Promise<boolean> {
  if (bytes.byteLength > small) return false;
  if (projectFormat(bytes, declared) !== "obk") return true;
  // What cannot be read costs nothing; whoever opens it says why.
  return (await unpackedObkSize(bytes).catch(() => 0)) <= small;
}

function overloaded(): RequestError {
  return new RequestError({
    id: "request-overloaded",
    code: 503,
    message: "Too many large projects are being opened.",
    headers: { "Retry-After": "5" },
  });
}

function tooHeavy(): RequestError {
  return new RequestError({
    id: "request-too-large",
    code: 413,
    message: "The project takes more memory to open than this host allows (sessions.opening.memory).",
  });
}

function tooLong(limit: number): RequestError {
  return new RequestError({
    id: "request-timeout",
    code: 504,
    message: `The project could not be opened within ${limit} ms (sessions.opening.timeout).`,
  });
}
