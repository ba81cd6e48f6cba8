import { rename, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "../../system/durable-files.js";
import { type FontFolders, shippedFonts } from "./font-files.js";
import { fontScripts } from "./font-scripts.js";

const shippedFamily = "Noto Sans";

/** Family names in documents that stand for the shipped family. */
const aliases = ["sans-serif", "serif", "Arial", "Helvetica", "Open Sans"];

/**
 * Writes the fontconfig file that shows the browser our fonts and no others, and returns its path. Hinting is off:
 * with it some builds round the advance widths, and words move.
 */
export async function writeFontConfiguration(folder: string, fontFolders: FontFolders): Promise<string> {
  const { added, configured } = fontFolders;
  const folders = [...new Set([...shippedFonts().map((font) => dirname(font)), added, ...configured])];
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
        `  <alias binding="same"><family>${alias}</family><prefer><family>${shippedFamily}</family></prefer></alias>`,
    ),
    ...fallbackOrder(),
    '  <match target="font"><edit name="hinting" mode="assign"><bool>false</bool></edit></match>',
    "</fontconfig>",
    "",
  ].join("\n");
}

/**
 * Which font has a character that the document's own lacks. Without an order of ours, that would follow from the coverage
 * of fonts and from the order of files in a folder. Languages come first: they choose among the fonts for Han characters.
 */
function fallbackOrder(): string[] {
  const emoji = fontScripts.filter(({ codes }) => codes.includes("Zsye"));
  // fontconfig takes "zh" for a part of "zh-tw", which therefore comes before it.
  const languages = fontScripts
    .filter(({ families }) => families.length > 0)
    .flatMap(({ languages, families }) =>
      languages.map((language) => ({ language: language.toLowerCase(), families })),
    )
    .sort((one, other) => other.language.split("-").length - one.language.split("-").length);
  return [
    // What Chromium asks for where a sequence is an emoji.
    ...emoji.map(({ families }) => appended(families, "und-zsye")),
    appended([shippedFamily]),
    ...languages.map(({ language, families }) => appended(families, language)),
    appended(fontScripts.flatMap(({ families }) => families)),
  ];
}

function appended(families: readonly string[], language?: string): string {
  const test =
    language === undefined ? "" : `<test name="lang" compare="contains"><string>${language}</string></test>`;
  const names = families.map((family) => `<string>${family}</string>`).join("");
  return `  <match target="pattern">${test}<edit name="family" mode="append_last" binding="strong">${names}</edit></match>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
