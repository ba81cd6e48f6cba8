/** Files of builds. Plain JavaScript, because it is part of the build. */
import { renameSync, statSync, writeFileSync } from "node:fs";

/** Milliseconds since the epoch; 0 for a missing file. */
export function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Whether a file exists and none of its sources is newer. */
export function isCurrent(made, sources) {
  const time = modified(made);
  return time > 0 && sources.every((source) => time >= modified(source));
}

/** Writes atomically, because processes that read the file may start meanwhile. */
export function replaceFile(path, contents) {
  const unfinished = `${path}-${process.pid}.tmp`;
  writeFileSync(unfinished, contents);
  renameSync(unfinished, path);
}
