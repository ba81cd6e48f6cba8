import { createWriteStream } from "node:fs";
import { access, mkdir, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { HostClient, OrderExport } from "./host-client.js";

export interface WrittenFile {
  path: string;
  /** URL on the host. */
  url: string;
}

/**
 * Downloads the files of an export into a folder, created on demand. Overwrites existing files only in an explicit
 * folder (`out`); otherwise fails before it writes anything.
 */
export async function writeExport(
  client: HostClient,
  { files }: OrderExport,
  out: string | undefined,
): Promise<WrittenFile[]> {
  const folder = resolve(out ?? ".");
  const targets = files.map(({ name, url }) => ({ path: join(folder, basename(name)), url }));
  if (out === undefined) for (const { path } of targets) await requireFree(path);
  await mkdir(folder, { recursive: true });
  for (const { path, url } of targets) {
    await writeStream(await client.content(url), path, out === undefined ? "wx" : "w");
  }
  return targets;
}

async function requireFree(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new Error(`${path} exists; name another folder, or this one, with --out.`);
}

/** Removes an incomplete file. */
async function writeStream(content: Response, path: string, flags: "w" | "wx"): Promise<void> {
  if (content.body === null) throw new Error(`The host has no content for ${path}.`);
  const file = createWriteStream(path, { flags });
  let opened = false;
  file.once("open", () => {
    opened = true;
  });
  try {
    await pipeline(Readable.fromWeb(content.body), file);
  } catch (error) {
    if (opened) await rm(path, { force: true });
    throw error;
  }
}
