/** The folder of added fonts: one folder per script, with fonts, licences and a record of their origin. */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type, Validator } from "@slipway/sdk";
import { addedFonts, type FontScript, fontScripts, GlyphCoverage } from "../pdf/fonts/fonts.js";
import { commonFile } from "../system/durable-files.js";
import { errorCode, isMissing } from "../system/errors.js";
import type { FontFiles } from "./font-packages.js";

const recordFile = "fonts.json";
const unfinishedPrefix = ".adding-";
/** Milliseconds; an unfinished folder this old belongs to an interrupted command. */
const abandonedAfter = 60 * 60 * 1000;

const FontRecord = Type.Object({
  packages: Type.Array(Type.Object({ name: Type.String(), version: Type.String() })),
  licence: Type.String(),
});

/** The record in the folder of a script. */
export type FontRecord = Static<typeof FontRecord>;

const checkRecord = new Validator({ lazy: true }).compile(FontRecord, recordFile);

/** A script that was added. */
export interface AddedScript {
  script: FontScript;
  /** Of its fonts. */
  bytes: number;
  /** Undefined if its record cannot be read. */
  record: FontRecord | undefined;
}

/** A script and the packages that have its fonts. */
export interface NewScript {
  script: FontScript;
  packages: readonly FontFiles[];
}

/** The scripts added to a folder; empty if it does not exist. */
export async function addedScripts(folder: string): Promise<AddedScript[]> {
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if (isMissing(error)) return [];
    throw error;
  });
  const found = fontScripts.filter(({ name }) => names.includes(name));
  return Promise.all(found.map((script) => addedScript(join(folder, script.name), script)));
}

async function addedScript(folder: string, script: FontScript): Promise<AddedScript> {
  const sizes = await Promise.all((await addedFonts(folder)).map(async (font) => (await stat(font)).size));
  return { script, bytes: sizes.reduce((sum, size) => sum + size, 0), record: await readRecord(folder) };
}

async function readRecord(folder: string): Promise<FontRecord | undefined> {
  try {
    const read = checkRecord(JSON.parse(await readFile(join(folder, recordFile), "utf8")));
    return read.ok ? read.value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Adds or replaces scripts. Writes all of them beside their places first, so that a failure changes nothing. Throws if a font
 * lacks the letters of its script.
 */
export async function addScripts(folder: string, scripts: readonly NewScript[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await removeAbandoned(folder);
  const beside = join(folder, `${unfinishedPrefix}${process.pid}-${Date.now()}`);
  try {
    for (const each of scripts) await writeScript(join(beside, each.script.name), each);
    for (const { script } of scripts) {
      const place = join(folder, script.name);
      await moveAway(place, join(beside, `${script.name}-before`));
      await rename(join(beside, script.name), place);
    }
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

/** Removes scripts; returns the names of the removed ones. */
export async function removeScripts(folder: string, scripts: readonly FontScript[]): Promise<string[]> {
  const removed: string[] = [];
  for (const { name } of scripts) {
    const beside = join(folder, `${unfinishedPrefix}${process.pid}-${Date.now()}`);
    if (!(await moveAway(join(folder, name), beside))) continue;
    removed.push(name);
    await rm(beside, { recursive: true, force: true });
  }
  return removed;
}

async function writeScript(folder: string, { script, packages }: NewScript): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { name, fonts, licence } of packages) {
    const short = name.replace(/^.*\//, "");
    await writeFile(join(folder, `LICENSE-${short}`), licence, { mode: commonFile });
    for (const [file, content] of fonts) await writeFile(join(folder, file), content, { mode: commonFile });
  }
  const coverage = await readCoverage(folder, script);
  if (!coverage.hasAll(script.sample))
    throw new Error(`The fonts for ${script.name} lack letters of ${script.name}. Nothing was added.`);
  const record: FontRecord = {
    packages: packages.map(({ name, version }) => ({ name, version })),
    licence: "OFL-1.1",
  };
  await writeFile(join(folder, recordFile), `${JSON.stringify(record, undefined, 2)}\n`, {
    mode: commonFile,
  });
}

async function readCoverage(folder: string, { name }: FontScript): Promise<GlyphCoverage> {
  try {
    return await GlyphCoverage.of(await addedFonts(folder));
  } catch (error) {
    throw new Error(`The fonts for ${name} are damaged. Nothing was added.`, { cause: error });
  }
}

/** False if the folder does not exist. */
async function moveAway(place: string, to: string): Promise<boolean> {
  try {
    await rename(place, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** The folders that interrupted commands left. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - abandonedAfter) await rm(join(folder, name), { recursive: true, force: true });
  }
}
