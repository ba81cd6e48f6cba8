/** What a command does right now, on one line of a terminal where a person waits; nothing elsewhere. */
import { cut, displayWidth } from "../system/display-width.js";

/** Columns of what the line shows. */
let shown = 0;

/** Replaces what the line shows. */
export function tellProgress(text: string): void {
  const { isTTY, columns } = process.stderr;
  if (!isTTY) return;
  // The last column stays free: some terminals go to the next line when it is written to.
  const line = cut(text, (columns > 0 ? columns : 80) - 1);
  const width = displayWidth(line);
  process.stderr.write(`\r${line}${" ".repeat(Math.max(0, shown - width))}\r${line}`);
  shown = width;
}

/** Makes the line empty; has to be called before anything else is written. */
export function endProgress(): void {
  if (shown === 0) return;
  process.stderr.write(`\r${" ".repeat(shown)}\r`);
  shown = 0;
}
