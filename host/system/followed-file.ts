import { watch } from "node:fs";
import { basename, dirname } from "node:path";
import type { Log } from "@slipway/sdk";

/** Milliseconds between looks without any event: network drives and re-pointed links cause none. */
const lookInterval = 2000;

/**
 * Calls `look` for every event of a file and every two seconds besides; whether something changed is for it to find out. The
 * result ends that.
 */
export function followFile(file: string, look: () => void, log: Log): () => void {
  const endEvents = followEvents(file, look, log);
  const interval = setInterval(look, lookInterval).unref();
  return () => {
    clearInterval(interval);
    endEvents();
  };
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
