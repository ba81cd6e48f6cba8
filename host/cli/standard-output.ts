import { errorCode } from "../system/errors.js";
import { cut, displayWidth } from "../system/terminal-text.js";

/**
 * Ignores output after the reader has closed the pipe, as `head` does. Other write errors, such as a full disk, exit
 * with 1.
 */
export function forgiveGoneReaders(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", (error) => {
    if (errorCode(error) === "EPIPE") return;
    process.stderr.write(`Nothing can be written: ${error.message}\n`, () => process.exit(1));
  });
}

/** For processes that continue without a reader. */
export function forgiveAllReaders(): void {
  process.stdout.removeAllListeners("error").on("error", () => undefined);
}

/** For endless output: exits when the reader closes the pipe. */
export function endWithReader(): void {
  process.stdout.once("error", () => process.exit(0));
}

// A progress line on a terminal; nothing elsewhere.

/** Width of the current progress line. */
let shown = 0;

/** Replaces the progress line. */
export function tellProgress(text: string): void {
  const { isTTY, columns } = process.stderr;
  if (!isTTY) return;
  // Leaves the last column free: some terminals wrap after it.
  const line = cut(text, (columns > 0 ? columns : 80) - 1);
  const width = displayWidth(line);
  process.stderr.write(`\r${line}${" ".repeat(Math.max(0, shown - width))}\r${line}`);
  shown = width;
}

/** Clears the progress line; to be called before any other output. */
export function endProgress(): void {
  if (shown === 0) return;
  process.stderr.write(`\r${" ".repeat(shown)}\r`);
  shown = 0;
}
