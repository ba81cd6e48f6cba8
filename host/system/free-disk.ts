import { statfs } from "node:fs/promises";

/** Bytes of the disk below a folder: all of them, and those that this user may still write. */
export interface DiskRoom {
  total: number;
  free: number;
}

/** Undefined where the system does not tell. */
export async function diskRoom(folder: string): Promise<DiskRoom | undefined> {
  try {
    const { blocks, bavail, bsize } = await statfs(folder);
    return blocks === 0 ? undefined : { total: blocks * bsize, free: bavail * bsize };
  } catch {
    return undefined;
  }
}

/** Of a small disk no more than this part has to stay free. */
const smallestPart = 20;

/** Bytes that are missing for `configured` ones to stay free; 0 when there are enough. */
export function missingRoom({ total, free }: DiskRoom, configured: number): number {
  return Math.max(0, Math.min(configured, total / smallestPart) - free);
}
