import { watch } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Log } from "@slipway/sdk";
import { errorCode } from "./errors.js";
import { untilNextMultiple } from "./time.js";

/** Milliseconds between checks without events: network drives and changed links cause none. */
const checkInterval = 2000;
/** Of so many checks, one counts as an event: an unreadable file may have become readable. */
const checksBetween = 15;

/**
 * Calls `changed` when a file may have changed: at its events, at changes without an event, and now and then. Returns a function
 * that ends this.
 */
export function followFile(file: string, changed: () => void, log: Log): () => void {
  const endEvents = followEvents(file, changed, log);
  let seen: string | undefined;
  let checks = 0;
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const wait = (): void => {
    timer = setTimeout(async () => {
      const found = await identityOf(file);
      if (hasEnded) return;
      checks += 1;
      if (found !== seen || checks % checksBetween === 0) changed();
      seen = found;
      wait();
    }, untilNextMultiple(checkInterval)).unref();
  };
  wait();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
    endEvents();
  };
}

/** Differs when a file is replaced, written or no longer accessible. */
async function identityOf(file: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch (error) {
    return errorCode(error) ?? String(error);
  }
}

/** By the folder of the file, because most programs replace files. */
function followEvents(file: string, happened: () => void, log: Log): () => void {
  const late = (error: unknown): void => log.debug("Changes of a file are noticed late", { file, error });
  try {
    const watcher = watch(dirname(file), { persistent: false }, (_event, name) => {
      if (name === null || name === basename(file)) happened();
    });
    watcher.on("error", late);
    return () => watcher.close();
  } catch (error) {
    late(error);
    return () => undefined;
  }
}
