import { errorCode } from "../system/errors.js";
import { cut, displayWidth } from "../system/terminal-text.js";

/**
 * A reader that has read enough, such as `head`, is no reason to fail: what is written after that goes nowhere. Output that
 * cannot be written otherwise, as on a full disk, ends the process with 1.
 */
export function forgiveGoneReaders(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", (error) => {
    if (errorCode(error) === "EPIPE") return;
    process.stderr.write(`Nothing can be written: ${error.message}\n`, () => process.exit(1));
  });
}

/** For processes that continue even if their output has no reader. */
export function forgiveAllReaders(): void {
  process.stdout.removeAllListeners("error").on("error", () => undefined);
}

/** For what has no end of its own: it ends when its reader has read enough. */
export function endWithReader(): void {
  process.stdout.once("error", () => process.exit(0));
}

// What a command does right now, on one line of a terminal where a person waits; nothing elsewhere.

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
