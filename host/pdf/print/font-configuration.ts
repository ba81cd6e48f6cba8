import { rename, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "../../system/durable-files.js";
import { shippedFonts } from "./shipped-fonts.js";

/** Family names in documents that stand for the shipped family. */
const aliases = ["sans-serif", "serif", "Arial", "Helvetica", "Open Sans"];

/**
 * Writes the fontconfig file that shows the browser our fonts and no others, and returns its path. Hinting is off:
 * with it some builds round the advance widths, and words move.
 */
export async function writeFontConfiguration(folder: string, fontFolders: string[]): Promise<string> {
  const folders = [...new Set([...shippedFonts().map((font) => dirname(font)), ...fontFolders])];
  const cache = resolve(folder, "font-cache");
  await makeFolder(cache);
  const path = resolve(folder, "fonts.conf");
  const temporary = join(folder, `.fonts-${process.pid}.conf`);
  await writeFile(
    temporary,
    fontConfiguration(
      folders.map((each) => resolve(each)),
      cache,
    ),
  );
  await rename(temporary, path);
  return path;
}

function fontConfiguration(folders: string[], cache: string): string {
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    "<fontconfig>",
    ...folders.map((folder) => `  <dir>${escaped(folder)}</dir>`),
    `  <cachedir>${escaped(cache)}</cachedir>`,
    ...aliases.map(
      (alias) =>
        `  <alias binding="same"><family>${alias}</family><prefer><family>Noto Sans</family></prefer></alias>`,
    ),
    '  <match target="font"><edit name="hinting" mode="assign"><bool>false</bool></edit></match>',
    "</fontconfig>",
    "",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
