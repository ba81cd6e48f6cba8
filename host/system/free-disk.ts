import { statfs } from "node:fs/promises";

/** Bytes of the disk of a folder: its size, and what this user may still write. */
export interface DiskRoom {
  total: number;
  free: number;
}

/** Undefined if the system does not report it. */
export async function diskRoom(folder: string): Promise<DiskRoom | undefined> {
  try {
    const { blocks, bavail, bsize } = await statfs(folder);
    return blocks === 0 ? undefined : { total: blocks * bsize, free: bavail * bsize };
  } catch {
    return undefined;
  }
}

/** On a small disk, at most the part 1/20 must stay free. */
const smallestPart = 20;

/** Bytes to free so that `configured` bytes are free; 0 if enough are free. */
export function missingRoom({ total, free }: DiskRoom, configured: number): number {
  return Math.max(0, Math.min(configured, total / smallestPart) - free);
}
