/** Archives on their way into a drop-in folder, hidden until they are whole. */
import { randomUUID } from "node:crypto";
import { open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { unfinished } from "../../system/durable-files.js";

const prefix = ".adding-";

/** What nobody has written to for so long was left by a host that was killed; milliseconds. */
const abandonedAfter = 3_600_000;

/** A new path in a drop-in folder that no host looks at. */
export function incomingFile(folder: string): string {
  return join(folder, `${prefix}${randomUUID()}${unfinished}`);
}

/** Has `fill` write a hidden file in the folder, syncs it, and hands it to `use`, which may move it; what is left of it goes. */
export async function withIncoming<T>(
  folder: string,
  fill: (file: string) => Promise<void>,
  use: (file: string) => Promise<T>,
): Promise<T> {
  const file = incomingFile(folder);
  try {
    await removeAbandoned(folder);
    await fill(file);
    await sync(file);
    return await use(file);
  } finally {
    await rm(file, { force: true });
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((each) => each.startsWith(prefix) && each.endsWith(unfinished))) {
    const file = join(folder, name);
    const age = await stat(file).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > abandonedAfter) await rm(file, { force: true });
  }
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
