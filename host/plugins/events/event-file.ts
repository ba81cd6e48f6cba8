import { appendFile, readFile, rename, stat } from "node:fs/promises";
import { extname } from "node:path";
import { Validator } from "@slipway/sdk";
import { PluginEvent } from "./plugin-event.js";

const check = new Validator().compile(PluginEvent, "event");

/** Beyond it the file becomes the old one; two of them bound what events take on disk. */
const largestFile = 2 * 1024 * 1024;

/** Events as lines of JSON in a file, with the file before it. One call at a time. */
export class EventFile {
  private readonly before: string;
  private size = 0;
  /** The last line may be torn: by a process that was killed, or by a disk that is full. */
  private isTorn = false;

  constructor(
    private readonly file: string,
    private readonly largest = largestFile,
  ) {
    const ending = extname(file);
    this.before = `${file.slice(0, file.length - ending.length)}.1${ending}`;
  }

  /** All events that can be read, oldest first; lines that are none are left out. */
  async read(): Promise<PluginEvent[]> {
    const older = await textOf(this.before);
    const text = await textOf(this.file);
    this.size = Buffer.byteLength(text);
    this.isTorn = text !== "" && !text.endsWith("\n");
    return [...older.split("\n"), ...text.split("\n")].flatMap((line) => parsed(line) ?? []);
  }

  /** Adds events at the end; afterwards they are with the operating system. */
  async append(events: readonly PluginEvent[]): Promise<void> {
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
    if (this.size > 0 && this.size + Buffer.byteLength(lines) > this.largest) await this.rotate();
    const text = this.isTorn ? `\n${lines}` : lines;
    try {
      await appendFile(this.file, text);
      this.size += Buffer.byteLength(text);
      this.isTorn = false;
    } catch (error) {
      this.isTorn = true;
      this.size = await stat(this.file).then(
        ({ size }) => size,
        () => 0,
      );
      throw error;
    }
  }

  private async rotate(): Promise<void> {
    await rename(this.file, this.before);
    this.size = 0;
    this.isTorn = false;
  }
}

/** Nothing for a file that is not there yet. */
async function textOf(file: string): Promise<string> {
  return await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
}

function parsed(line: string): PluginEvent | undefined {
  try {
    const result = check(JSON.parse(line));
    return result.ok ? result.value : undefined;
  } catch {
    return undefined; // torn
  }
}
