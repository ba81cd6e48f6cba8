import { join } from "node:path";
import { RequestError, unpackedObkSize } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { ProcessLost } from "../system/answering-process.js";
import { Turns } from "../system/concurrency.js";
import type { Confinement } from "../system/confinement/confinement.js";
import { builtFolder } from "../system/installation.js";
import { ProcessPool } from "../system/process-pool.js";
import { overloaded } from "../system/request-errors.js";
import { type OpenedProject, openProject } from "./open-project.js";
import {
  type OpeningAnswer,
  type OpeningQuestion,
  openingAnswer,
  type WrittenFormat,
} from "./opening-messages.js";
import { type DeclaredFormat, projectFormat } from "./project-format.js";
import { writeProject } from "./write-project.js";

/** Unpacked bytes up to which opening a project costs no more than passing it to another process. */
const small = 512 * 1024;
/**
 * The half of the space for new objects in the limit of the memory: a project is made of objects that stay, which would be copied
 * again and again while a smaller space grows.
 */
const shareOfNewObjects = 1 / 32;

type Limits = Configuration["sessions"]["opening"];

/** Opens and writes projects one at a time: small ones in this process, large ones in a separate one. */
export class ProjectOpener {
  private readonly turns = new Turns();
  private readonly pool: ProcessPool<OpeningAnswer>;

  constructor(
    private readonly limits: Limits,
    confinement?: Confinement,
  ) {
    const semiSpace = Math.max(1, Math.floor(limits.memory * shareOfNewObjects));
    this.pool = new ProcessPool({
      program: join(builtFolder, "sessions", "opening-process.js"),
      confinement,
      semiSpace: { first: semiSpace, largest: semiSpace },
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
    const question: OpeningQuestion = { declared, held };
    const answer = await this.ask(bytes, question);
    if ("project" in answer) return answer.project;
    throw new Error("The process that opens projects sent a file.");
  }

  /** So many bytes of a project are being received: a process for large ones starts meanwhile. */
  expect(bytes: number): void {
    if (bytes > small) this.pool.startAhead();
  }

  /** A project, JSON with the bytes of its assets, as a file. Rejects as `open` does. */
  async write(bytes: Uint8Array, written: WrittenFormat): Promise<Uint8Array> {
    if (bytes.byteLength <= small)
      return await this.turns.takeApart("small", () => writeProject(bytes, written));
    const answer = await this.ask(bytes, written);
    if ("file" in answer) return answer.file;
    throw new Error("The process that writes projects sent none.");
  }

  private async ask(bytes: Uint8Array, question: OpeningQuestion | WrittenFormat): Promise<OpeningAnswer> {
    if (this.pool.pending >= this.limits.queue)
      throw overloaded("Too many large projects are being opened at the moment. Try again.", 5);
    const answer = await this.pool.ask(bytes, question).catch((error: unknown) => {
      throw error instanceof ProcessLost ? openingFailed(error, this.limits) : error;
    });
    if ("refused" in answer) throw RequestError.from(answer.refused);
    if ("failed" in answer) throw new Error(answer.failed);
    return answer;
  }

  /** Ends the process; its current task fails. */
  stop(): void {
    void this.pool.stop();
  }
}

async function isSmall(bytes: Uint8Array, declared: DeclaredFormat): Promise<boolean> {
  if (bytes.byteLength > small) return false;
  const format = projectFormat(bytes, declared);
  // The size of a PDF does not show how long reading it takes.
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
        message: `The project took longer than ${limits.timeout} ms to open or save (sessions.opening.timeout). Try again, or open a smaller one.`,
      });
    case "memory":
    case "killed": // by the system, for lack of memory
      return new RequestError({
        id: "request-too-large",
        code: 413,
        message:
          "The project needs more memory to open or save than the host allows (sessions.opening.memory). Open a smaller one.",
      });
    default:
      return lost;
  }
}
