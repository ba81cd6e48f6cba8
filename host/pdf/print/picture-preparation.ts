/** Makes pictures quick to print, and keeps from the browser those that would take too much to show. */
import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Log, pictureType } from "@slipway/sdk";
import { LRUCache } from "lru-cache";
import type { PdfConfiguration } from "../../configuration/pdf-configuration.js";
import { ProcessLost } from "../../system/answering-process.js";
import { builtFolder } from "../../system/installation.js";
import { ProcessPool } from "../../system/process-pool.js";
import { shownSize } from "../../system/shown-amount.js";
import { type PictureAnswer, type PictureQuestion, pictureAnswer } from "./picture-messages.js";

export interface LoadedResource {
  mediaType: string;
  content: Uint8Array;
}

/** A picture that is left out; the reason goes on from "it is left out:". */
export interface RefusedPicture {
  refused: string;
}

/** For whom a picture is prepared. */
export interface PictureAsker {
  /** The document: one does not make others wait while it has much to prepare. */
  document: object;
  /** Ends the waiting. */
  signal: AbortSignal;
}

/** Undefined: the picture is best printed as it is. */
type Outcome = LoadedResource | RefusedPicture | undefined;

/** MiB of JavaScript objects; pictures are beside them. */
const heap = 64;
const mostProcesses = 4;
/** Milliseconds: pictures of a document come at once, and what was prepared is known. */
const rest = 5000;
/** Bytes that knowing of a picture takes, besides its content. */
const entryBytes = 256;

export class PicturePreparation {
  /** By the hash of the original; refusals are not kept, as a busy machine can be their reason. */
  private readonly known: LRUCache<string, { outcome: LoadedResource | undefined }>;
  private readonly running = new Map<string, Promise<Outcome>>();
  private readonly pool: ProcessPool<PictureAnswer>;

  constructor(
    private readonly settings: PdfConfiguration["pictures"],
    private readonly log: Log,
  ) {
    // The library refuses 0, which stands for none here: nothing is as small as 1.
    this.known = new LRUCache({ maxSize: Math.max(1, settings.cacheBytes) });
    this.pool = new ProcessPool({
      program: join(builtFolder, "pdf", "print", "picture-process.js"),
      rest,
      size: settings.processes ?? Math.min(availableParallelism(), mostProcesses),
      limits: () => ({ heap, resident: settings.memory, timeout: settings.timeout }),
      answer: pictureAnswer,
    });
  }

  /**
   * The resource as it is best printed; anything but PNG and JPEG pictures comes back untouched. Rejects with the
   * signal's reason.
   */
  async prepare(resource: LoadedResource, asker: PictureAsker): Promise<LoadedResource | RefusedPicture> {
    if (!this.hasToBePrepared(resource.content)) return resource;
    const hash = createHash("sha256").update(resource.content).digest("base64");
    const known = this.known.get(hash);
    const outcome = known === undefined ? await this.shared(hash, resource.content, asker) : known.outcome;
    return outcome ?? resource;
  }

  /** A document with such pictures comes soon: a process for them takes longer to start than a page to print. */
  startAhead(pictures: readonly { content: Uint8Array }[]): void {
    if (pictures.some(({ content }) => this.hasToBePrepared(content))) this.pool.startAhead();
  }

  /** Ends the processes. */
  stop(): void {
    void this.pool.stop();
  }

  /** What gains nothing by it, as far as the picture says itself, needs no process. */
  private hasToBePrepared(content: Uint8Array): boolean {
    const { mediaType, width, height } = pictureType(content) ?? {};
    if (mediaType !== "image/png" && mediaType !== "image/jpeg") return false;
    if (width === undefined || height === undefined) return true;
    const { longestSide, jpegFromPixels, inputPixels } = this.settings;
    if (Math.max(width, height) > longestSide || width * height > inputPixels) return true;
    return mediaType === "image/png" && width * height >= jpegFromPixels;
  }

  /** A picture that several ask for is prepared once. */
  private async shared(hash: string, content: Uint8Array, asker: PictureAsker): Promise<Outcome> {
    for (;;) {
      const running = this.running.get(hash) ?? this.begin(hash, content, asker);
      try {
        return await running;
      } catch (error) {
        // If only the one that began it has gone, it is begun anew.
        if (asker.signal.aborted) throw error;
      }
    }
  }

  private begin(hash: string, content: Uint8Array, asker: PictureAsker): Promise<Outcome> {
    const running = this.prepared(content, asker).then((outcome) => {
      if (outcome === undefined || "content" in outcome)
        this.known.set(hash, { outcome }, { size: entryBytes + (outcome?.content.length ?? 0) });
      return outcome;
    });
    this.running.set(hash, running);
    const end = (): boolean => this.running.delete(hash);
    running.then(end, end);
    return running;
  }

  private async prepared(content: Uint8Array, asker: PictureAsker): Promise<Outcome> {
    const { settings, log } = this;
    try {
      const answer = await this.ask(content, asker);
      switch (answer.type) {
        case "prepared":
          return { mediaType: answer.mediaType, content: answer.content };
        case "unchanged":
          return undefined;
        case "refused":
          return { refused: tooLarge(answer, settings) };
        case "unreadable":
          log.debug("a picture could not be prepared and is printed as it is", { reason: answer.reason });
          return undefined;
      }
    } catch (error) {
      if (asker.signal.aborted) throw error;
      log.warn("A picture could not be prepared.", { error });
      return { refused: error instanceof ProcessLost ? lossReason(error, settings) : brokenProcess };
    }
  }

  /** A process that was ended without the picture's fault costs another try. */
  private async ask(content: Uint8Array, { document, signal }: PictureAsker): Promise<PictureAnswer> {
    const question: PictureQuestion = this.settings;
    const turn = { owner: document, signal };
    try {
      return await this.pool.ask(content, question, turn);
    } catch (error) {
      if (!(error instanceof ProcessLost) || ["time", "memory", "stopped"].includes(error.reason))
        throw error;
      this.log.warn("A process that prepares pictures died; the picture is retried.", { error });
      return this.pool.ask(content, question, turn);
    }
  }
}

const brokenProcess = "the process that prepares it ended";

function lossReason({ reason }: ProcessLost, { timeout, memory }: PdfConfiguration["pictures"]): string {
  if (reason === "time") return `it took longer than ${timeout} ms to prepare (pdf.pictures.timeout)`;
  if (reason === "memory") return `it needs more than ${memory} MiB to prepare (pdf.pictures.memory)`;
  return brokenProcess;
}

function tooLarge(
  { width, height, bytes }: Extract<PictureAnswer, { type: "refused" }>,
  { inputPixels, inputBytes }: PdfConfiguration["pictures"],
): string {
  return width * height > inputPixels
    ? `it has ${width} × ${height} pixels, but at most ${inputPixels} in all are allowed (pdf.pictures.inputPixels)`
    : `its ${width} × ${height} pixels need ${shownSize(bytes)} of memory, but at most ${shownSize(inputBytes)} are allowed (pdf.pictures.inputBytes)`;
}
