/** Creates the folder of a new plugin from a starter. */
import { cp, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { makeFolder } from "./new-folder.js";
import { type PluginNames, pluginNames } from "./plugin-names.js";
import { sdkDependency, sdkFolder, sdkVersion } from "./sdk-package.js";

/** Options of a new plugin. */
export interface NewPluginOptions {
  /** Folder to create; must be missing or empty. */
  folder: string;
  /** Package name, such as "@acme/slipway-plugin-greeting"; default: derived from the folder name. */
  name?: string | undefined;
  /** A version or range of the SDK in a registry, or the path of its archive; default: the current SDK is packed. */
  sdk?: string | undefined;
  /** Whether the plugin is in JavaScript, which needs no compiler; default: it is in TypeScript. */
  js?: boolean | undefined;
}

/** A created plugin. */
export interface NewPlugin extends PluginNames {
  /** Absolute path. */
  folder: string;
  /** Whether the package name differs from the folder name, because that is not a valid one. */
  renamed: boolean;
  /** The SDK dependency in its package.json. */
  sdk: string;
}

const starter = join(sdkFolder, "scaffold", "starter");
/** The modules, manifest and page of a plugin in JavaScript; the build makes them from those of `starter`. */
const javascript = join(sdkFolder, "dist", "scaffold", "starter-javascript");
const onlyTypeScript = /(?:\.ts|tsconfig\.json)$/;

/**
 * Creates a plugin that can be checked, tested, run and packed immediately; either all of it or nothing. Rejects with a
 * human-readable error if npm or Slipway would refuse its name, if the folder is not empty, or if it cannot be written.
 */
export async function newPlugin({ folder, name, sdk, js }: NewPluginOptions): Promise<NewPlugin> {
  // Scripts pass an empty text for an unset variable; the working folder is ".".
  if (folder.trim() === "") throw new Error("The folder of the new plugin has no name.");
  const target = resolve(folder);
  const names = pluginNames(basename(target), name);
  let dependency = "";
  await makeFolder(target, async (made) => {
    dependency = await sdkDependency(made, sdk);
    await cp(starter, made, { recursive: true, filter: (file) => !js || !onlyTypeScript.test(file) });
    if (js) await cp(javascript, made, { recursive: true });
    // npm excludes `.gitignore` files from packages.
    await rename(join(made, "gitignore"), join(made, ".gitignore"));
    await fill(made, { ...names, sdk: dependency, range: `^${await sdkVersion()}` });
  });
  const renamed = name === undefined && names.name !== basename(target);
  return { ...names, folder: target, renamed, sdk: dependency };
}

/** Replaces placeholders such as `{{name}}` by the values. */
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
