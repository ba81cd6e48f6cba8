/** The files of the preview page: its own, and those of the library that draws PDFs. */
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { installationFolder } from "../installation.js";

export interface PreviewFile {
  location: string;
  mediaType: string;
}

const mediaTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
};

/** What else the library loads: character maps, fonts that PDFs name without bringing them, colour, picture formats. */
const libraryFolders = ["cmaps", "standard_fonts", "iccs", "wasm"];

/** All files by their path below `/preview/`; nothing else is ever opened for a request. */
export async function previewFiles(): Promise<ReadonlyMap<string, PreviewFile>> {
  const library = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const found = await Promise.all([
    filesOf(join(installationFolder, "host", "preview", "assets"), ""),
    filesOf(join(import.meta.dirname, "page"), "", [".js"]),
    filesOf(join(library, "legacy", "build"), "pdfjs/", [".min.mjs"]),
    ...libraryFolders.map((name) => filesOf(join(library, name), `pdfjs/${name}/`)),
  ]);
  return new Map(found.flat());
}

async function filesOf(
  folder: string,
  prefix: string,
  endings: readonly string[] = [""],
): Promise<[string, PreviewFile][]> {
  const members = await readdir(folder, { withFileTypes: true });
  return members
    .filter((member) => member.isFile() && endings.some((ending) => member.name.endsWith(ending)))
    .map(({ name }) => {
      const mediaType = mediaTypes[extname(name)] ?? "application/octet-stream";
      return [`${prefix}${name}`, { location: join(folder, name), mediaType }];
    });
}
