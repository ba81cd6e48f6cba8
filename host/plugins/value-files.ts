import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Log, Type, Validator } from "@slipway/sdk";
import type { KeptValue, ValueStorage } from "@slipway/sdk/runtime/host";
import { makeFolder, replaceSynced, syncFolder, unfinished } from "../system/durable-files.js";
import { errorCode } from "../system/errors.js";
import { parsedJson } from "../system/json.js";
import { storageError } from "../system/request-errors.js";
import { folderOfPlugin, sha256 } from "./plugin-files.js";

const check = new Validator({ lazy: true }).compile(
  Type.Object({ key: Type.String(), revision: Type.String(), value: Type.Unknown() }),
  "value",
);

/** The values that plugins store, one file each: `<plugin>-<hash>/<hash of the key>.json`. */
export class ValueFiles implements ValueStorage {
  constructor(
    private readonly folder: string,
    private readonly log: Log,
  ) {}

  /** Damaged files stay and are logged; they count as missing. */
  async read(plugin: string): Promise<Map<string, KeptValue>> {
    const folder = folderOfPlugin(this.folder, plugin);
    const values = new Map<string, KeptValue>();
    for (const name of await namesIn(folder)) {
      const file = join(folder, name);
      if (name.endsWith(unfinished)) await rm(file, { force: true });
      if (!name.endsWith(".json")) continue;
      const found = check(parsedJson(await readFile(file, "utf8")));
      if (found.ok && fileName(found.value.key) === name) {
        const { key, revision, value } = found.value;
        values.set(key, { revision, value: JSON.stringify(value) });
      } else this.log.error("A stored value of a plugin cannot be read", { plugin, file });
    }
    return values;
  }

  async write(plugin: string, key: string, { value, revision }: KeptValue): Promise<void> {
    const folder = folderOfPlugin(this.folder, plugin);
    const text = `{"key":${JSON.stringify(key)},"revision":${JSON.stringify(revision)},"value":${value}}\n`;
    try {
      await makeFolder(folder);
      await replaceSynced(join(folder, fileName(key)), text);
    } catch (error) {
      throw storageError(error);
    }
  }

  async remove(plugin: string, key: string): Promise<void> {
    const folder = folderOfPlugin(this.folder, plugin);
    try {
      await rm(join(folder, fileName(key)), { force: true });
      await syncFolder(folder);
    } catch (error) {
      throw storageError(error);
    }
  }
}

function fileName(key: string): string {
  return `${sha256(key)}.json`;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
