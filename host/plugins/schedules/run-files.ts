import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Log, Type, Validator } from "@slipway/sdk";
import { makeFolder, replaceSynced } from "../../system/durable-files.js";
import { errorCode } from "../../system/errors.js";
import { parsedJson } from "../../system/json.js";
import { folderOfPlugin, sha256 } from "../plugin-files.js";
import { LastRun } from "../plugin-state.js";

const check = new Validator({ lazy: true }).compile(
  Type.Object({ plugin: Type.String(), schedule: Type.String(), run: LastRun }),
  "run",
);

/** The last runs of schedules, one file each: `<plugin>-<hash>/<hash of the schedule's name>.json`. */
export class RunFiles {
  constructor(
    private readonly folder: string,
    private readonly log: Log,
  ) {}

  /** Undefined when it never ran. An unreadable file is logged and counts as never. */
  async read(plugin: string, schedule: string): Promise<LastRun | undefined> {
    const { file } = this.placeOf(plugin, schedule);
    try {
      const found = check(parsedJson(await readFile(file, "utf8")));
      if (found.ok) return found.value.run;
      this.log.error("The last run of a schedule cannot be read", { plugin, schedule, file });
    } catch (error) {
      if (errorCode(error) !== "ENOENT")
        this.log.error("The last run of a schedule cannot be read", { plugin, schedule, file, error });
    }
    return undefined;
  }

  /** Resolves when it is on disk; a failure is logged. */
  async write(plugin: string, schedule: string, run: LastRun): Promise<void> {
    const { folder, file } = this.placeOf(plugin, schedule);
    try {
      await makeFolder(folder);
      await replaceSynced(file, `${JSON.stringify({ plugin, schedule, run })}\n`);
    } catch (error) {
      this.log.error("The run of a schedule could not be noted; a restart would not know of it", {
        plugin,
        schedule,
        file,
        error,
      });
    }
  }

  private placeOf(plugin: string, schedule: string): { folder: string; file: string } {
    const folder = folderOfPlugin(this.folder, plugin);
    return { folder, file: join(folder, `${sha256(schedule)}.json`) };
  }
}
