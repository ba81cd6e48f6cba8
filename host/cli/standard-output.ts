import { errorCode } from "../system/error-code.js";

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

/** For what goes on whoever reads its output, or nobody. */
export function forgiveAllReaders(): void {
  process.stdout.removeAllListeners("error").on("error", () => undefined);
}

/** For what has no end of its own: it ends when its reader has read enough. */
export function endWithReader(): void {
  process.stdout.once("error", () => process.exit(0));
}
