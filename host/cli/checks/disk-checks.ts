import type { Configuration } from "../../configuration/configuration.js";
import { diskRoom, missingRoom } from "../../system/free-disk.js";
import { shownSize } from "../../system/shown-amount.js";
import { type Check, hint, right, wrong } from "./check.js";

/** Less is used up in a busy hour. */
const littleRoom = 1024 * 1024 * 1024;

/** Whether there is room for generated files; nothing where the system does not say. */
export async function diskCheck({
  var: folder,
  files,
}: Pick<Configuration, "var" | "files">): Promise<Check[]> {
  const room = await diskRoom(folder);
  if (room === undefined) return [];
  const free = `${shownSize(room.free)} of ${shownSize(room.total)} are free on the disk of ${folder}`;
  if (missingRoom(room, files.minimumFree) > 0) {
    const mend = "make room, choose another folder with --var, or lower files.minimumFree";
    return [wrong("disk", `${free}, less than generated files have to leave; ${mend}`)];
  }
  return [room.free < littleRoom ? hint("disk", `only ${free}`) : right("disk", free)];
}
