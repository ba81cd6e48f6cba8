/** Makes the folder of a new plugin from the starter. */
import { cp, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { makeFolder } from "./new-folder.js";
import { type PluginNames, pluginNames } from "./plugin-names.js";
import { sdkDependency, sdkFolder, sdkVersion } from "./sdk-package.js";

/** Which plugin is wished for. */
export interface NewPluginOptions {
  /** Where it is made; not there yet, or empty. */
  folder: string;
  /** Of its package, such as "@acme/slipway-plugin-greeting"; without it, made from the name of the folder. */
  name?: string | undefined;
  /** A version or range of the SDK in a registry, or the path of its archive; without it, the SDK at hand is packed. */
  sdk?: string | undefined;
}

/** A plugin that was made. */
export interface NewPlugin extends PluginNames {
  /** Absolute. */
  folder: string;
  /** Whether the name of the folder is none for a package, so that the package has another one. */
  renamed: boolean;
  /** What its package.json says of the SDK. */
  sdk: string;
}

const starter = join(sdkFolder, "scaffold", "starter");

/**
 * Makes a plugin that can be checked, tested, run and packed as it is; either all of it or nothing. Rejects with an error for
 * people when npm or Slipway would refuse its name, when the folder is not empty, and when it cannot be written.
 */
export async function newPlugin({ folder, name, sdk }: NewPluginOptions): Promise<NewPlugin> {
  // What scripts pass for a variable that is not set; the working folder has a name: ".".
  if (folder.trim() === "") throw new Error("The folder of the new plugin has no name.");
  const target = resolve(folder);
  const names = pluginNames(basename(target), name);
  let dependency = "";
  await makeFolder(target, async (made) => {
    dependency = await sdkDependency(made, sdk);
    await cp(starter, made, { recursive: true });
    // npm leaves files of this name out of packages.
    await rename(join(made, "gitignore"), join(made, ".gitignore"));
    await fill(made, { ...names, sdk: dependency, range: `^${await sdkVersion()}` });
  });
  const renamed = name === undefined && names.name !== basename(target);
  return { ...names, folder: target, renamed, sdk: dependency };
}

/** Replaces `{{name}}` in the texts by the value of that name. */
async function fill(folder: string, values: Readonly<Record<string, string>>): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/\.(?:json|md)$/.test(name)) continue;
    const file = join(folder, name);
    const text = await readFile(file, "utf8");
    const filled = text.replaceAll(/\{\{([a-z]+)\}\}/g, (whole, key: string) =>
      Object.hasOwn(values, key) ? (values[key] ?? whole) : whole,
    );
    if (filled !== text) await writeFile(file, filled);
  }
}
