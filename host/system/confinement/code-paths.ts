import { readdirSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { builtFolder, installationFolder, packageFolders, sdkFolder } from "../installation.js";

let known: readonly string[] | undefined;

/** Absolute paths of folders and files with the code that every process of the host may run. */
export function codePaths(): readonly string[] {
  known ??= [
    ...new Set([builtFolder, sdkFolder, join(installationFolder, "package.json"), ...packagePaths()]),
  ];
  return known;
}

/** The packages of the host, also where package managers link them from elsewhere. */
function packagePaths(): string[] {
  return packageFolders().flatMap((folder) => {
    const scopes = readdirSync(folder).filter((name) => name.startsWith("@"));
    const linked = [folder, ...scopes.map((scope) => join(folder, scope))].flatMap(linkedPackages);
    return [folder, realpathSync(folder), ...linked];
  });
}

/** What the links in a folder lead to: the package, or all packages around it, which it may import. */
function linkedPackages(folder: string): string[] {
  const links = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
  return links.flatMap(({ name }) => {
    const target = targetOf(join(folder, name));
    if (target === undefined) return [];
    const packages = `${sep}node_modules${sep}`;
    const around = target.lastIndexOf(packages);
    return [around < 0 ? target : target.slice(0, around + packages.length - 1)];
  });
}

/** Undefined for a broken link. */
function targetOf(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch {
    return undefined;
  }
}
