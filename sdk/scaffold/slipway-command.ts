/** How Slipway's own command is typed from where the user stands. */
import { readFile, realpath } from "node:fs/promises";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { isFile } from "./is-file.js";

/** Folders of npm, which are in the path of what it runs and of nothing else. */
const ofNpm = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

/**
 * "npx slipway" where a project here or above has it, or is it; "slipway" where it is installed for all, and else the program
 * that runs, if it is Slipway; undefined where there is none.
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
    // No package, or none that can be read: then it is not Slipway's.
    return false;
  }
}

/** As one word of a shell's command line. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function* andAbove(folder: string): Generator<string> {
  yield folder;
  const parent = dirname(folder);
  if (parent !== folder) yield* andAbove(parent);
}
