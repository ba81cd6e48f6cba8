import { createWriteStream } from "node:fs";
import { access, mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
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
  if (!isPlaceNamed) for (const { path } of files) await requireFree(path);
  for (const { path, url } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeStream(await client.content(url), path, isPlaceNamed ? "w" : "wx");
  }
}

async function requireFree(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new Error(`${path} exists; name another place, or this one, with --out.`);
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
