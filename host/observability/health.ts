import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { type Log, type Static, Type } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { errorCode } from "../system/errors.js";
import { type DiskRoom, diskRoom, missingRoom } from "../system/free-disk.js";
import { storageProblem } from "../system/request-errors.js";

/** The health of one part of the host. */
export const PartHealth = Type.Object(
  {
    ready: Type.Boolean(),
    detail: Type.String({
      description: "One sentence: the state, or the problem and its fix.",
    }),
    problems: Type.Optional(
      Type.Array(Type.String(), { description: "Problems that do not prevent the part from serving." }),
    ),
  },
  { title: "PartHealth" },
);
export type PartHealth = Static<typeof PartHealth>;

/** Whether `var` can be written, and the free space, at the last check. */
export class StorageHealth {
  private problem: string | undefined;
  private room: DiskRoom | undefined;

  constructor(
    /** Read at each use. */
    private readonly configuration: Pick<Configuration, "var" | "files">,
    private readonly log: Log,
  ) {}

  /** Writes nothing. Never rejects. */
  async look(): Promise<void> {
    const { var: folder } = this.configuration;
    const before = this.problem;
    this.room = await diskRoom(folder);
    this.problem = await problemOf(folder, this.room);
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

/** Bytes; less than the smallest change of state needs. */
const fewestBytes = 64 * 1024;

/** The reason why no file can be written, if so. */
async function problemOf(folder: string, room: DiskRoom | undefined): Promise<string | undefined> {
  if (room !== undefined && room.free < fewestBytes) return "there is no room; make some on the disk of var";
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const known = storageProblem(error) ?? `var cannot be written (${errorCode(error) ?? "unknown reason"})`;
    return `${known}; make it writable for the user of the host`;
  }
}
