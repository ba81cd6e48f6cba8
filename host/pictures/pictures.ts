/** Converts pictures: to what every program can show, and to what prints quickly; keeps out what would take too much. */
import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import {
  type Log,
  type Picture,
  type PictureProblem,
  type PictureType,
  pictureType,
  unshowableBytes,
} from "@slipway/sdk";
import type { PictureAsker, ShownPictures } from "@slipway/sdk/runtime/host";
import { LRUCache } from "lru-cache";
import type { PdfConfiguration } from "../configuration/pdf-configuration.js";
import { ProcessLost } from "../system/answering-process.js";
import type { Confinement } from "../system/confinement/confinement.js";
import { builtFolder } from "../system/installation.js";
import { ProcessPool } from "../system/process-pool.js";
import { shownSize } from "../system/shown-amount.js";
import {
  type ConvertedPicture,
  type PictureAnswer,
  type PictureQuestion,
  type PictureSize,
  pictureAnswer,
} from "./picture-messages.js";
import { isPlainFile } from "./plain-file.js";

export interface LoadedResource {
  mediaType: string;
  content: Uint8Array;
}

/** A picture that is best as it is has no content here. */
type Outcome = ConvertedPicture | PictureSize | PictureProblem;

type Task = PictureQuestion["task"];

/** MiB of JavaScript objects; pictures are beside them. */
const heap = 64;
const mostProcesses = 4;
/** Milliseconds: pictures of a document come at once, and what was converted is known. */
const rest = 5000;
/** Bytes that knowing of a picture takes, besides its content. */
const entryBytes = 256;

export class Pictures implements ShownPictures {
  /** By the hash of the original and the task; problems of a busy machine are not kept. */
  private readonly known: LRUCache<string, { outcome: Outcome }>;
  private readonly running = new Map<string, Promise<Outcome>>();
  private readonly pool: ProcessPool<PictureAnswer>;

  constructor(
    private readonly settings: PdfConfiguration["pictures"],
    private readonly log: Log,
    confinement?: Confinement,
  ) {
    // The library refuses 0, which means "no cache" here: no entry is as small as 1.
    this.known = new LRUCache({ maxSize: Math.max(1, settings.cacheBytes) });
    this.pool = new ProcessPool({
      program: join(builtFolder, "pictures", "picture-process.js"),
      confinement,
      native: true,
      rest,
      size: settings.processes ?? Math.min(availableParallelism(), mostProcesses),
      limits: () => ({ heap, resident: settings.memory, timeout: settings.timeout }),
      answer: pictureAnswer,
    });
  }

  /** A picture that every program can show. Most pictures already are, and come back unchanged. */
  async shown(content: Uint8Array, asker: PictureAsker): Promise<Picture | PictureProblem> {
    const type = pictureType(content);
    const problem = unshowableBytes(type);
    if (type === undefined || problem !== undefined) return { problem: problem ?? "" };
    const plain = plainSize(content, type);
    if (plain !== undefined && plain.width * plain.height > this.settings.inputPixels)
      return { problem: tooLarge({ ...plain, bytes: 0 }, this.settings) };
    const outcome = plain ?? (await this.outcome("show", content, asker));
    if ("problem" in outcome || "content" in outcome) return outcome;
    const { width, height } = outcome;
    return { mediaType: type.mediaType === "image/png" ? "image/png" : "image/jpeg", content, width, height };
  }

  /**
   * What a document loads, as it is best printed. Drawings (SVG) stay what they are, as browsers print them sharp at any
   * size; what is no picture comes back untouched. Rejects with the signal's reason.
   */
  async printed(resource: LoadedResource, asker: PictureAsker): Promise<LoadedResource | PictureProblem> {
    const type = pictureType(resource.content);
    if (
      (type === undefined && !resource.mediaType.startsWith("image/")) ||
      type?.mediaType === "image/svg+xml"
    )
      return resource;
    const shown = await this.shown(resource.content, asker);
    if ("problem" in shown || !this.isSlowToPrint(shown)) return shown;
    const outcome = await this.outcome("print", shown.content, asker);
    return "problem" in outcome || "content" in outcome ? outcome : shown;
  }

  /** Call it before a document with such pictures: starting a process takes longer than printing a page. */
  startAhead(pictures: readonly { content: Uint8Array }[]): void {
    if (pictures.some(({ content }) => this.needsProcess(content))) this.pool.startAhead();
  }

  /** Ends the processes. */
  stop(): void {
    void this.pool.stop();
  }

  private needsProcess(content: Uint8Array): boolean {
    const type = pictureType(content);
    if (type === undefined || unshowableBytes(type) !== undefined) return false;
    const size = plainSize(content, type);
    return size === undefined || this.isSlowToPrint({ mediaType: type.mediaType, ...size });
  }

  /** What gains nothing by it, as far as the picture says itself, needs no process. */
  private isSlowToPrint({ mediaType, width, height }: PictureSize & { mediaType: string }): boolean {
    const { longestSide, jpegFromPixels, inputPixels } = this.settings;
    if (Math.max(width, height) > longestSide || width * height > inputPixels) return true;
    return mediaType === "image/png" && width * height >= jpegFromPixels;
  }

  private async outcome(task: Task, content: Uint8Array, asker: PictureAsker): Promise<Outcome> {
    const key = `${task} ${createHash("sha256").update(content).digest("base64")}`;
    return this.known.get(key)?.outcome ?? this.shared(key, { task, content }, asker);
  }

  /** A picture that several ask for is converted once. */
  private async shared(key: string, work: Work, asker: PictureAsker): Promise<Outcome> {
    for (;;) {
      const running = this.running.get(key) ?? this.begin(key, work, asker);
      try {
        return await running;
      } catch (error) {
        // If only the request that began it has ended, it is begun again.
        if (asker.signal.aborted) throw error;
      }
    }
  }

  private begin(key: string, work: Work, asker: PictureAsker): Promise<Outcome> {
    const running = this.converted(work, asker).then(({ outcome, isKept }) => {
      const bytes = "content" in outcome ? outcome.content.length : 0;
      if (isKept) this.known.set(key, { outcome }, { size: entryBytes + bytes });
      return outcome;
    });
    this.running.set(key, running);
    const end = (): boolean => this.running.delete(key);
    running.then(end, end);
    return running;
  }

  private async converted(work: Work, asker: PictureAsker): Promise<{ outcome: Outcome; isKept: boolean }> {
    const { settings, log } = this;
    try {
      return { outcome: outcomeOf(await this.ask(work, asker), settings), isKept: true };
    } catch (error) {
      if (asker.signal.aborted) throw error;
      log.warn("A picture could not be converted.", { error });
      const problem = error instanceof ProcessLost ? lossReason(error, settings) : brokenProcess;
      return { outcome: { problem }, isKept: false };
    }
  }

  /** A process that was ended without the picture's fault costs another try. */
  private async ask({ task, content }: Work, asker: PictureAsker): Promise<PictureAnswer> {
    const question: PictureQuestion = { task, settings: this.settings };
    try {
      return await this.pool.ask(content, question, asker);
    } catch (error) {
      if (!(error instanceof ProcessLost) || ["time", "memory", "stopped"].includes(error.reason))
        throw error;
      this.log.warn("A process that converts pictures died; the picture is retried.", { error });
      return this.pool.ask(content, question, asker);
    }
  }
}

interface Work {
  task: Task;
  content: Uint8Array;
}

/** The size of a picture that every program can show unchanged, as far as its first bytes show that. */
function plainSize(content: Uint8Array, { mediaType, width, height }: PictureType): PictureSize | undefined {
  if (width === undefined || height === undefined || !isPlainFile(content, mediaType)) return undefined;
  return { width, height };
}

function outcomeOf(answer: PictureAnswer, settings: PdfConfiguration["pictures"]): Outcome {
  switch (answer.type) {
    case "converted": {
      const { mediaType, content, width, height } = answer;
      return { mediaType, content, width, height };
    }
    case "unchanged":
      return { width: answer.width, height: answer.height };
    case "refused":
      return { problem: tooLarge(answer, settings) };
    case "unreadable":
      return { problem: `it is damaged or of an unusual kind: ${firstLine(answer.reason)}` };
  }
}

/** What the library says, without a full stop; it may be long, and quote the picture. */
function firstLine(reason: string): string {
  const [line = ""] = reason.replaceAll(/[^\x20-\x7e\n]/g, "?").split("\n", 1);
  return line.slice(0, 200).replace(/\.$/, "");
}

const brokenProcess = "the process that converts it ended";

function lossReason({ reason }: ProcessLost, { timeout, memory }: PdfConfiguration["pictures"]): string {
  if (reason === "time") return `it took longer than ${timeout} ms to convert (pdf.pictures.timeout)`;
  if (reason === "memory") return `it needs more than ${memory} MiB to convert (pdf.pictures.memory)`;
  return brokenProcess;
}

function tooLarge(
  { width, height, bytes }: PictureSize & { bytes: number },
  { inputPixels, inputBytes }: PdfConfiguration["pictures"],
): string {
  return width * height > inputPixels
    ? `it has ${width} × ${height} pixels, but at most ${inputPixels} in all are allowed (pdf.pictures.inputPixels)`
    : `its ${width} × ${height} pixels need ${shownSize(bytes)} of memory, but at most ${shownSize(inputBytes)} are allowed (pdf.pictures.inputBytes)`;
}
