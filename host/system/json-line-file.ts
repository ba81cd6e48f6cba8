import { appendFile, readFile, rename, stat } from "node:fs/promises";
import { extname } from "node:path";
import type { Check } from "@slipway/sdk";
import { privateFile } from "./durable-files.js";
import { unlessMissing } from "./errors.js";
import { parsedJson } from "./json.js";

export interface JsonLineFileOptions<Line> {
  /** Older ones lie beside it as `<name>.1<ending>`, `<name>.2<ending>` and so on. */
  file: string;
  /** Reading skips lines that fail this check. */
  check: Check<Line>;
  /** Bytes after which a new file begins. */
  largest: number;
  /** Number of older files; with `largest` it bounds the size of all of them. */
  older: number;
  /** Appended lines are synced to the disk. */
  isSynced?: true;
}

/** Values as lines of JSON in a file and its predecessors. One call at a time. */
export class JsonLineFile<Line> {
  private size = 0;
  /** The last line may be incomplete, because a process was killed or the disk was full. */
  private isTorn = false;

  constructor(private readonly options: JsonLineFileOptions<Line>) {}

  /** The readable lines, oldest first: of the newest file, and of as many older ones as `enough` lines need. */
  async read(enough: number): Promise<Line[]> {
    const text = await textOf(this.options.file);
    this.size = Buffer.byteLength(text);
    this.isTorn = text !== "" && !text.endsWith("\n");
    let lines = this.parsed(text);
    for (let age = 1; age <= this.options.older && lines.length < enough; age++)
      lines = [...this.parsed(await textOf(this.nameOf(age))), ...lines];
    return lines;
  }

  /** Adds lines at the end. */
  async append(values: readonly Line[]): Promise<void> {
    const { file, largest, isSynced = false } = this.options;
    const lines = values.map((value) => `${JSON.stringify(value)}\n`).join("");
    if (this.size > 0 && this.size + Buffer.byteLength(lines) > largest) await this.rotate();
    const text = this.isTorn ? `\n${lines}` : lines;
    try {
      await appendFile(file, text, { mode: privateFile, flush: isSynced });
      this.size += Buffer.byteLength(text);
      this.isTorn = false;
    } catch (error) {
      this.isTorn = true;
      this.size = await stat(file).then(
        ({ size }) => size,
        () => 0,
      );
      throw error;
    }
  }

  private async rotate(): Promise<void> {
    for (let age = this.options.older; age >= 1; age--) {
      const younger = age === 1 ? this.options.file : this.nameOf(age - 1);
      await unlessMissing(rename(younger, this.nameOf(age)));
    }
    this.size = 0;
    this.isTorn = false;
  }

  private nameOf(age: number): string {
    const { file } = this.options;
    const ending = extname(file);
    return `${file.slice(0, file.length - ending.length)}.${age}${ending}`;
  }

  private parsed(text: string): Line[] {
    return text.split("\n").flatMap((line) => {
      const result = this.options.check(parsedJson(line));
      return result.ok ? [result.value] : [];
    });
  }
}

/** Empty for a missing file. */
async function textOf(file: string): Promise<string> {
  return (await unlessMissing(readFile(file, "utf8"))) ?? "";
}
