/** Compiled code that the next start reuses, with Node.js 22.8 or newer. */
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import nodeModule from "node:module";
import { join } from "node:path";
import { privateFolder } from "./durable-files.js";
import { hostVersion } from "./installation.js";

/** Far more than one version has; until then, files of replaced plugins stay. */
const mostFiles = 5000;

let kept: string | undefined;

/** Caches compiled code of modules that are loaded from now on, in a folder of `varFolder`, if possible. */
export function keepCompiledCode(varFolder: string): void {
  const enable: unknown = Reflect.get(nodeModule, "enableCompileCache");
  if (typeof enable !== "function") return;
  const versions = join(varFolder, "compile-cache");
  const folder = join(versions, hostVersion);
  try {
    mkdirSync(folder, { recursive: true, mode: privateFolder });
    if (![versions, folder].every(isOwn)) return;
    const isFull = readdirSync(folder, { recursive: true }).length > mostFiles;
    for (const name of readdirSync(versions))
      if (isFull || name !== hostVersion) rmSync(join(versions, name), { recursive: true, force: true });
    enable(folder);
    kept = folder;
  } catch {
    // A folder that cannot be written does not prevent the start.
  }
}

/** Whether only this user can put code into a folder. */
function isOwn(folder: string): boolean {
  const { mode, uid } = statSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** Environment variables for a child process that uses the cache, too. */
export function compileCacheVariables(): Record<string, string> {
  return kept === undefined ? {} : { NODE_COMPILE_CACHE: kept };
}
