import type { DeflatedBeginning } from "../archives/deflated-beginning.js";
import { MemoryBudget } from "../archives/memory-budget.js";
import type { Artifact } from "./generated-files.js";
import type { IncomingFile, WrittenFile } from "./incoming-file.js";
import { pluginMistake } from "./request-errors.js";

/** Files that one call may write at the same time. */
const maximumIncoming = 100;

/** Bytes of repeated texts and of deflated content. */
const memoryBytes = 48 * 1024 * 1024;

interface MadeFile extends WrittenFile {
  remove(): void;
}

/** The files of one plugin call, finished and still being written. */
export class RequestFiles {
  /** For repeated texts and deflated content. */
  readonly memory = new MemoryBudget(memoryBytes);
  private readonly files = new Map<string, MadeFile>();
  private readonly incoming = new Map<number, IncomingFile>();
  private lastIncoming = 0;
  private discarded = false;

  /** `caller` is the call that requested this one; it owns the files too. */
  constructor(private readonly caller: RequestFiles | undefined) {}

  /** Registers a created file and the function that removes it. */
  remember(file: WrittenFile, remove: () => void): void {
    this.files.set(file.artifact.id, { ...file, remove });
    this.caller?.remember(file, remove);
    if (this.discarded) remove();
  }

  /** Removes all files of a failed call, including those still being written. */
  discard(): void {
    this.discarded = true;
    for (const { remove } of this.files.values()) remove();
    this.files.clear();
  }

  /** The file with an id, if this call or one it led to created it. */
  made(id: string): Artifact | undefined {
    return this.files.get(id)?.artifact;
  }

  /** Whether an id is that of a PDF that the host has printed for this call or one it led to. */
  isPrinted(id: string): boolean {
    return this.files.get(id)?.isPrinted === true;
  }

  /** The deflated beginning of a file that was written for an archive. */
  beginningOf(id: string): DeflatedBeginning | undefined {
    return this.files.get(id)?.beginning;
  }

  /** Registers a file that arrives in pieces; returns its number. */
  receive(file: IncomingFile): number {
    if (this.incoming.size >= maximumIncoming)
      throw pluginMistake(`The plugin wrote more than ${maximumIncoming} files at the same time.`);
    this.lastIncoming += 1;
    this.incoming.set(this.lastIncoming, file);
    return this.lastIncoming;
  }

  /** The file with a number. Throws if this call is not writing it. */
  receiving(number: number): IncomingFile {
    const file = this.incoming.get(number);
    if (file === undefined) throw pluginMistake("The plugin wrote to a file that is not open.");
    return file;
  }

  /** Unregisters a number; undefined if it is unknown. */
  release(number: number): IncomingFile | undefined {
    const file = this.incoming.get(number);
    this.incoming.delete(number);
    return file;
  }
}
