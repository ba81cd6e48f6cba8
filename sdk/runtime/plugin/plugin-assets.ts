import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Assets } from "../../plugin/host.js";
import { RequestError } from "../../schema/errors.js";
import { similarName } from "../../schema/similar-name.js";
import { shortened } from "../../schema/text.js";
import { mediaTypeOf } from "../assets/media-types.js";

/** The folder of a plugin's assets, and which of its files they are. */
export interface AssetFolder {
  /** Absolute. */
  folder: string;
  /** Sorted; below the folder, "/" between names. */
  names: readonly string[];
}

/** Larger files make documents that no browser prints in time. */
const largestUrl = 4 * 1024 * 1024;

/** Names in a message. */
const mostNamed = 5;

/** `host.assets`; `given` is undefined in a test that does not name the plugin's folder. */
export function pluginAssets(given: AssetFolder | undefined): Assets {
  const names = given?.names ?? [];
  const known = new Set(names);
  const bytes = async (name: string): Promise<Buffer> => {
    if (given === undefined || !known.has(name)) throw unknown(name, given);
    return await readFile(join(given.folder, name)).catch((error: unknown) => {
      throw failed(`The asset ${shown(name)} cannot be read.`, error);
    });
  };
  return {
    names,
    bytes,
    text: async (name) => {
      const content = await bytes(name);
      try {
        return new TextDecoder("utf-8", { fatal: true }).decode(content);
      } catch (error) {
        throw failed(`The asset ${shown(name)} is not a text in UTF-8.`, error);
      }
    },
    url: async (name) => {
      const content = await bytes(name);
      if (content.length > largestUrl)
        throw failed(`The asset ${shown(name)} has ${content.length} bytes; a URL can hold ${largestUrl}.`);
      return `data:${mediaTypeOf(name).replace("; ", ";")};base64,${content.toString("base64")}`;
    },
  };
}

function unknown(name: string, given: AssetFolder | undefined): RequestError {
  const what = `The plugin has no asset ${shown(name)}`;
  if (given === undefined) return failed(`${what}: createTestHost was not given the plugin's \`folder\`.`);
  const { names } = given;
  if (names.length === 0) return failed(`${what}: its package.json names none (slipway.assets).`);
  const near = similarTo(name, names);
  const hint =
    near.length > 0
      ? `did you mean ${near.map(shown).join(" or ")}?`
      : `it has ${listed(names)} (slipway.assets).`;
  return failed(`${what}; ${hint}`);
}

/** A misspelled path, and files of that name in other folders. */
function similarTo(name: string, names: readonly string[]): string[] {
  const last = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
  const misspelled = similarName(name, names) ?? [];
  const elsewhere = names.filter((each) => last(each) === last(name));
  const misspelledElsewhere = names.filter((each) => similarName(last(name), [last(each)]) !== undefined);
  const all = [misspelled, elsewhere, misspelledElsewhere].flat();
  return [...new Set(all)].slice(0, mostNamed);
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).map(shown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function shown(name: string): string {
  return JSON.stringify(shortened(String(name), 100));
}

/** The stack of the reason leads authors to their call. */
function failed(message: string, reason: unknown = new Error(message)): RequestError {
  return new RequestError({ id: "plugin-error", code: 500, message, reason });
}
