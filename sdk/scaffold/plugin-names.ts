/** Names of a new plugin: the package name, valid for npm, and the name in paths, valid for hosts. */
import { isBuiltin } from "node:module";
import { trimmedEnd } from "../schema/text.js";

/** Names of a new plugin. */
export interface PluginNames {
  /** `name` in package.json, such as "@acme/slipway-plugin-greeting". */
  name: string;
  /** `slipway.plugin` in package.json: the name in paths, such as "greeting". */
  plugin: string;
}

const packagePattern = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const longestPackage = 214;
const longestPlugin = 64;

/**
 * The names of a plugin in the folder `folder`. `given`: package name chosen by the author. Throws a human-readable
 * error if npm or Slipway would refuse them.
 */
export function pluginNames(folder: string, given?: string): PluginNames {
  if (folder.startsWith(".") || folder === "node_modules") {
    throw new Error(`Hosts pass over folders like ${JSON.stringify(folder)}; choose another name for it.`);
  }
  const name = given ?? packageNameOf(folder);
  const problem = packageNameProblem(name);
  if (problem === undefined) return { name, plugin: publicNameOf(name) };
  throw new Error(
    given === undefined
      ? `The name of the folder cannot name the package: it ${problem}. Give another name with --name.`
      : `--name ${problem}.`,
  );
}

/** For example "my-greeting" for "My Greeting"; may be empty. */
function packageNameOf(folder: string): string {
  const name = folder
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-");
  return trimmedEnd(name.replace(/^[._-]+/, ""), "._-");
}

/** What is wrong with the name of a package, as the end of a sentence about it; undefined for a valid name. */
function packageNameProblem(name: string): string | undefined {
  const given = `but is ${JSON.stringify(name)}`;
  if (!packagePattern.test(name)) {
    return `must consist of small letters, digits, "-", "." and "_", after a scope such as "@acme/" if any, ${given}`;
  }
  if (name.length > longestPackage) return `must have at most ${longestPackage} characters, ${given}`;
  if (isBuiltin(name)) return `must be a name that no module of Node.js has, ${given}`;
  if (name === "node_modules" || name === "favicon.ico") {
    return `must be a name that npm takes, ${given}`;
  }
  return undefined;
}

/** The name without scope and prefix "plugin": a letter, followed by letters, digits, "." and "-". */
function publicNameOf(name: string): string {
  const own = name.slice(name.indexOf("/") + 1).replace(/^(?:slipway-)?(?:plugin-)?(?=.)/, "");
  const fit = own.replaceAll("_", "-");
  return (/^[a-z]/.test(fit) ? fit : `plugin-${fit}`).slice(0, longestPlugin);
}
