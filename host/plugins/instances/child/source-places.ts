import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";

/**
 * Replaces places in a plugin's bundle by those in its sources, such as "index.ts:10:5". Node.js does the same with
 * `--enable-source-maps`, but reads the map at each start, not at the first error.
 */
export class SourcePlaces {
  private map: SourceMap | undefined;
  private isRead = false;

  /** The URL of the bundle, as stacks name it; its source map lies beside it. */
  constructor(private readonly bundle: string) {}

  /** Places that the map does not have, such as those of packages, stay as they are. */
  in(text: string): string {
    const [start = "", ...others] = text.split(`${this.bundle}:`);
    if (others.length === 0) return text;
    return start + others.map((part) => this.continued(part)).join("");
  }

  /** `part` is what follows the bundle and a colon. */
  private continued(part: string): string {
    const [place = "", line, column] = /^(\d+):(\d+)/.exec(part) ?? [];
    const source = line && column && this.source(Number(line), Number(column));
    return source ? `${source}${part.slice(place.length)}` : `${this.bundle}:${part}`;
  }

  private source(line: number, column: number): string | undefined {
    const entry = this.read()?.findEntry(line - 1, column - 1);
    if (entry === undefined || !("originalSource" in entry) || entry.originalSource === undefined)
      return undefined;
    return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  }

  private read(): SourceMap | undefined {
    if (this.isRead) return this.map;
    this.isRead = true;
    try {
      this.map = new SourceMap(JSON.parse(readFileSync(new URL(`${this.bundle}.map`), "utf8")));
    } catch {
      // Bundles of development hosts and of earlier versions have none.
    }
    return this.map;
  }
}
