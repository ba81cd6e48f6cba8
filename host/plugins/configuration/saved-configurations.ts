/** Files of the configurations that are saved at run time. */
import { readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, type Log, type Static, Type, Validator } from "@slipway/sdk";
import { makeFolder, replaceSynced, setAside, unfinished } from "../../system/durable-files.js";
import { errorMessage } from "../../system/errors.js";
import { parsedJson } from "../../system/json.js";
import { storageError } from "../../system/request-errors.js";
import { folderOfPlugin } from "../plugin-files.js";

const SavedFile = Type.Object({
  format: Type.Literal(1),
  plugin: Type.String(),
  revision: Type.Integer({ minimum: 1 }),
  configuration: Type.Record(Type.String(), Type.Unknown()),
});

/** What is saved for one plugin. `configuration`: a merge patch (RFC 7396) over its default configuration. */
export type SavedConfiguration = Pick<Static<typeof SavedFile>, "revision" | "configuration">;

const check = new Validator({ lazy: true }).compile(SavedFile, "file");

/** One file for each plugin: `<plugin>-<hash>.json`. They hold secrets, so only their owner may read them. */
export class SavedConfigurations {
  private constructor(
    private readonly folder: string,
    private readonly saved: Map<string, SavedConfiguration>,
  ) {}

  /** Reads all files. A broken file is set aside and logged. */
  static async open(folder: string, log: Log): Promise<SavedConfigurations> {
    await makeFolder(folder);
    const saved = new Map<string, SavedConfiguration>();
    for (const name of await readdir(folder)) {
      const file = join(folder, name);
      if (name.endsWith(unfinished)) await rm(file, { force: true });
      if (!name.endsWith(".json")) continue;
      try {
        const { plugin, revision, configuration } = await read(file);
        saved.set(plugin, { revision, configuration });
      } catch (error) {
        const aside = await setAside(file).catch(() => undefined);
        log.error("The saved configuration of a plugin is broken; the plugin starts without it", {
          file,
          aside,
          reason: errorMessage(error),
        });
      }
    }
    return new SavedConfigurations(folder, saved);
  }

  /** Revision 0 while nothing is saved. */
  get(plugin: string): SavedConfiguration {
    return this.saved.get(plugin) ?? { revision: 0, configuration: {} };
  }

  /** Resolves when it is on disk. Rejects with 503 `request-overloaded` if the disk does not take it. */
  async set(plugin: string, saved: SavedConfiguration): Promise<void> {
    const content: Static<typeof SavedFile> = { format: 1, plugin, ...saved };
    try {
      await makeFolder(this.folder);
      await replaceSynced(fileOf(this.folder, plugin), `${JSON.stringify(content, undefined, 2)}\n`);
    } catch (error) {
      throw storageError(error);
    }
    this.saved.set(plugin, saved);
  }
}

function fileOf(folder: string, plugin: string): string {
  return `${folderOfPlugin(folder, plugin)}.json`;
}

/** Rejects with a reason that shows no values of the file. */
async function read(file: string): Promise<Static<typeof SavedFile>> {
  const found = check(parsedJson(await readFile(file, "utf8")));
  if (!found.ok)
    throw new Error(
      found.violations.map((each) => describe({ path: each.path, expected: each.expected })).join("; "),
    );
  if (basename(fileOf("", found.value.plugin)) !== basename(file))
    throw new Error("`file.plugin` must be the plugin that the file is named after");
  return found.value;
}
