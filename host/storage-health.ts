import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "@slipway/sdk";
import type { PartHealth } from "./api/health.js";
import type { Configuration } from "./configuration/configuration.js";
import { errorCode } from "./error-code.js";
import { type DiskRoom, diskRoom, missingRoom } from "./files/free-disk.js";
import { storageProblem } from "./storage-error.js";

/** Whether `var` can be written, and how much room there is, as of the last look. */
export class StorageHealth {
  private problem: string | undefined;
  private room: DiskRoom | undefined;

  constructor(
    /** Read at each use. */
    private readonly configuration: Pick<Configuration, "var" | "files">,
    private readonly log: Log,
  ) {}

  /** Writes a small file and removes it. Never rejects. */
  async look(): Promise<void> {
    const { var: folder } = this.configuration;
    const before = this.problem;
    this.room = await diskRoom(folder);
    this.problem = await problemOf(folder);
    if (this.problem !== undefined && before === undefined)
      this.log.error("The host cannot store anything", { folder, reason: this.problem });
    if (this.problem === undefined && before !== undefined)
      this.log.info("The host can store again", { folder });
  }

  health(): PartHealth {
    if (this.problem !== undefined)
      return { ready: false, detail: `Nothing can be stored: ${this.problem}.` };
    const missing =
      this.room === undefined ? 0 : missingRoom(this.room, this.configuration.files.minimumFree);
    if (missing === 0) return { ready: true, detail: "The folder var can be written." };
    const problem =
      "Less of the disk is free than files.minimumFree; old generated files go, and new ones may be refused.";
    return { ready: true, detail: "The folder var can be written.", problems: [problem] };
  }
}

/** Undefined when a file could be written. */
async function problemOf(folder: string): Promise<string | undefined> {
  const file = join(folder, `writable-${process.pid}`);
  try {
    await writeFile(file, "1");
    await rm(file);
    return undefined;
  } catch (error) {
    await rm(file, { force: true }).catch(() => undefined);
    const known = storageProblem(error);
    const mend =
      known === "there is no room" ? "make room on its disk" : "make it writable for the host's user";
    return `${known ?? `var cannot be written (${errorCode(error) ?? "unknown reason"})`}; ${mend}`;
  }
}
