import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { requireFree } from "./free-path.js";
import type { HostClient } from "./host-client.js";

export interface WrittenFile {
  path: string;
  /** URL on the host. */
  url: string;
}

/**
 * Downloads files of a host; their folders are created. Overwrites existing files only where the user named the place; otherwise
 * fails before it writes anything.
 */
export async function download(
  client: HostClient,
  files: readonly WrittenFile[],
  isPlaceNamed: boolean,
): Promise<void> {
  if (!isPlaceNamed)
    for (const { path } of files) await requireFree(path, "name another place, or this one, with --out");
  for (const { path, url } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeStream(await client.content(url), path, isPlaceNamed ? "w" : "wx");
  }
}

/** Writes a body; removes an incomplete file. */
export async function writeStream(content: Response, path: string, flags: "w" | "wx"): Promise<void> {
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
