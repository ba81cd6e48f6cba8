/** The notation of Slipway's own command for the user. */
import { readFile, realpath } from "node:fs/promises";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { isFile } from "./sdk-package.js";

/** npm's folders in the PATH of its scripts, which the user's PATH lacks. */
const ofNpm = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

/**
 * "npx slipway" if a project here or in a parent folder has it or is it; "slipway" if it is installed globally;
 * otherwise the running program, if it is Slipway, if any.
 */
export async function slipwayCommand(program?: string): Promise<string | undefined> {
  for (const folder of andAbove(process.cwd())) {
    if (await isFile(join(folder, "node_modules", ".bin", "slipway"))) return "npx slipway";
    if (await isSlipway(join(folder, "package.json"))) return "npx slipway";
  }
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    if (folder !== "" && !ofNpm.test(folder) && (await isFile(resolve(folder, "slipway")))) return "slipway";
  }
  return program && `node ${quoted(relative(process.cwd(), await realpath(program)))}`;
}

async function isSlipway(manifest: string): Promise<boolean> {
  try {
    const parsed: unknown = JSON.parse(await readFile(manifest, "utf8"));
    return typeof parsed === "object" && parsed !== null && "name" in parsed && parsed.name === "slipway";
  } catch {
    // A missing or unreadable package is not Slipway's.
    return false;
  }
}

/** Quotes a word for a shell's command line. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function* andAbove(folder: string): Generator<string> {
  yield folder;
  const parent = dirname(folder);
  if (parent !== folder) yield* andAbove(parent);
}
