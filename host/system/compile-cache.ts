/** The compiled code of programs, kept from one start to the next where Node.js can, from 22.8 on. */
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import nodeModule from "node:module";
import { join } from "node:path";
import { privateFolder } from "./durable-files.js";
import { hostVersion } from "./installation.js";

/** Far more than one version has; those of plugins that were replaced stay until then. */
const mostFiles = 5000;

let kept: string | undefined;

/**
 * Loads what is loaded from now on with its compiled code of earlier starts, and keeps it in a folder of `varFolder`. Where that
 * is impossible, everything is compiled.
 */
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
    // A folder that cannot be written keeps nobody from starting.
  }
}

/** Whether nobody else can put code into a folder. */
function isOwn(folder: string): boolean {
  const { mode, uid } = statSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** Environment variables of a process that shall do the same. */
export function compileCacheVariables(): Record<string, string> {
  return kept === undefined ? {} : { NODE_COMPILE_CACHE: kept };
}
