/** The folders of this installation of Slipway and its SDK. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the package, whether this module runs from source or compiled below `host/dist`. */
export const installationFolder = findInstallation(dirname(fileURLToPath(import.meta.url)));

/** The built host: programs for its child processes, and the files of its pages. */
export const builtFolder = join(installationFolder, "host", "dist");

/** The folder of the SDK that the host itself imports: `sdk` in a clone, below `node_modules` where npm installed it. */
export const sdkFolder = dirname(
  createRequire(join(installationFolder, "package.json")).resolve("@slipway/sdk/package.json"),
);

/** The `node_modules` folders from which the host resolves its packages, nearest first. */
export function packageFolders(): string[] {
  const found: string[] = [];
  let folder = builtFolder;
  while (dirname(folder) !== folder) {
    folder = dirname(folder);
    const packages = join(folder, "node_modules");
    if (existsSync(packages)) found.push(packages);
  }
  return found;
}

/**
 * The folder that `var` lies in unless a setting says otherwise: the clone, or the working folder where npm installed
 * the package, because an update or `npm ci` replaces everything below `node_modules`.
 */
export const homeFolder =
  basename(dirname(installationFolder)) === "node_modules" ? process.cwd() : installationFolder;

const hostPackage = readPackage(installationFolder);

/** The version of the host, from its package. */
export const hostVersion = hostPackage?.version ?? "0.0.0";

/** The versions of Node.js that the host runs with, as npm understands ranges. */
export const requiredNode = hostPackage?.node ?? "*";

/** The version of the SDK that plugins must support. */
export const sdkVersion = readPackage(sdkFolder)?.version ?? "0.0.0";

function findInstallation(folder: string): string {
  if (readPackage(folder)?.name === "slipway") return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error("The package.json of Slipway is missing; install Slipway again.");
  return findInstallation(parent);
}

interface InstalledPackage {
  name: string;
  version: string;
  /** Range of versions of Node.js. */
  node: string;
}

/** Checked by hand: a compiled schema would cost each command several milliseconds. */
function readPackage(folder: string): InstalledPackage | undefined {
  const text = readText(join(folder, "package.json"));
  if (text === undefined) return undefined;
  const { name, version, engines }: { name?: unknown; version?: unknown; engines?: { node?: unknown } } =
    JSON.parse(text);
  if (typeof name !== "string" || typeof version !== "string") return undefined;
  return { name, version, node: typeof engines?.node === "string" ? engines.node : "*" };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** The demo project of the installation. */
export const demoProject = join(installationFolder, "config", "demo", "demo-project.obk");
