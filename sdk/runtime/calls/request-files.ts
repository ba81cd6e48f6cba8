import { pluginMistake } from "./call-errors.js";
import type { IncomingFile } from "./incoming-file.js";

/** That one call writes at a time. */
const maximumIncoming = 100;

/** The files of one call inside a plugin: those that it has made, and those that it still writes. */
export class RequestFiles {
  /** How to remove each one, by id. */
  private readonly made = new Map<string, () => void>();
  private readonly incoming = new Map<number, IncomingFile>();
  private lastIncoming = 0;
  private discarded = false;

  /** Of the call that asked for this one; what is made for it is its own as well. */
  constructor(private readonly caller: RequestFiles | undefined) {}

  /** Notes a file that was made, and how to remove it. */
  remember(id: string, remove: () => void): void {
    this.made.set(id, remove);
    this.caller?.remember(id, remove);
    if (this.discarded) remove();
  }

  /** Removes what the call has made and still makes: it failed, so that nobody hears of its files. */
  discard(): void {
    this.discarded = true;
    for (const remove of this.made.values()) remove();
    this.made.clear();
  }

  /** Whether a file was made by this call, or by one that it led to. */
  has(id: string): boolean {
    return this.made.has(id);
  }

  /** Takes a file that comes in pieces; gives its number. */
  receive(file: IncomingFile): number {
    if (this.incoming.size >= maximumIncoming)
      throw pluginMistake(`The plugin wrote more than ${maximumIncoming} files at the same time.`);
    this.lastIncoming += 1;
    this.incoming.set(this.lastIncoming, file);
    return this.lastIncoming;
  }

  /** The file of a number. Throws when this call does not write it. */
  receiving(number: number): IncomingFile {
    const file = this.incoming.get(number);
    if (file === undefined) throw pluginMistake("The plugin wrote to a file that it had not begun.");
    return file;
  }

  /** Forgets a number; undefined when nothing had it. */
  release(number: number): IncomingFile | undefined {
    const file = this.incoming.get(number);
    this.incoming.delete(number);
    return file;
  }
}
