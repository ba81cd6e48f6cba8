import { join } from "node:path";
import { RequestError, unpackedObkSize } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { ProcessLost } from "../system/answering-process.js";
import { Turns } from "../system/concurrency.js";
import { builtFolder } from "../system/installation.js";
import { ProcessPool } from "../system/process-pool.js";
import { overloaded } from "../system/request-errors.js";
import { type OpenedProject, openProject } from "./open-project.js";
import { type OpeningAnswer, type OpeningQuestion, openingAnswer } from "./opening-messages.js";
import { type DeclaredFormat, projectFormat } from "./project-format.js";

/** Unpacked bytes up to which opening a project costs no more than passing it to another process. */
const small = 512 * 1024;

type Limits = Configuration["sessions"]["opening"];

/** Opens projects one at a time: small ones in this process, large ones in a separate one. */
export class ProjectOpener {
  private readonly turns = new Turns();
  private readonly pool: ProcessPool<OpeningAnswer>;

  constructor(private readonly limits: Limits) {
    this.pool = new ProcessPool({
      program: join(builtFolder, "sessions", "opening-process.js"),
      size: 1,
      limits: () => ({ heap: limits.memory, resident: limits.memory * 1.5, timeout: limits.timeout }),
      answer: openingAnswer,
    });
  }

  /**
   * As `openProject`. Rejects with 503 `request-overloaded` when the queue is full, 413 `request-too-large` for a
   * project that exceeds the memory limit, and 504 `request-timeout` after the timeout.
   */
  async open(
    bytes: Uint8Array,
    declared: DeclaredFormat,
    held: ReadonlySet<string> = new Set(),
  ): Promise<OpenedProject> {
    if (await isSmall(bytes, declared))
      return await this.turns.takeApart("small", () => openProject(bytes, declared, held));
    if (this.pool.pending >= this.limits.queue)
      throw overloaded("Too many large projects are being opened.", 5);
    const question: OpeningQuestion = { declared, held };
    const answer = await this.pool.ask(bytes, question).catch((error: unknown) => {
      throw error instanceof ProcessLost ? openingFailed(error, this.limits) : error;
    });
    if ("project" in answer) return answer.project;
    throw "refused" in answer ? RequestError.from(answer.refused) : new Error(answer.failed);
  }

  /** Ends the process; its current task fails. */
  stop(): void {
    void this.pool.stop();
  }
}

async function isSmall(bytes: Uint8Array, declared: DeclaredFormat): Promise<boolean> {
  if (bytes.byteLength > small) return false;
  const format = projectFormat(bytes, declared);
  // What a PDF takes to be read is not told by its size.
  if (format === "pdf") return false;
  if (format !== "obk") return true;
  // An unreadable file costs nothing; opening it reports the error.
  return (await unpackedObkSize(bytes).catch(() => 0)) <= small;
}

function openingFailed(lost: ProcessLost, limits: Limits): Error {
  switch (lost.reason) {
    case "time":
      return new RequestError({
        id: "request-timeout",
        code: 504,
        message: `The project could not be opened within ${limits.timeout} ms (sessions.opening.timeout).`,
      });
    case "memory":
    case "killed": // by the system, for lack of memory
      return new RequestError({
        id: "request-too-large",
        code: 413,
        message: "The project takes more memory to open than this host allows (sessions.opening.memory).",
      });
    default:
      return lost;
  }
}
