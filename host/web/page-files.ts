import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";

/** A file that belongs to a page of the host. */
export interface PageFile {
  location: string;
  mediaType: string;
}

/** Files by their path below the page's place. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const mediaTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

/** The files directly in a folder, as entries of `PageFiles`; `prefix` is put in front of their names. */
export async function filesOf(
  folder: string,
  prefix = "",
  endings: readonly string[] = [""],
): Promise<[string, PageFile][]> {
  const members = await readdir(folder, { withFileTypes: true });
  return members
    .filter((member) => member.isFile() && endings.some((ending) => member.name.endsWith(ending)))
    .map(({ name }) => {
      const mediaType = mediaTypes[extname(name)] ?? "application/octet-stream";
      return [`${prefix}${name}`, { location: join(folder, name), mediaType }];
    });
}
