/** A folder whose disk can be filled and closed by a test. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const bytes = 32 * 1024 * 1024;

export interface SmallDisk {
  folder: string;
  /** Leaves no byte. */
  fill(): Promise<void>;
  /** Gives back what `fill` took. */
  free(): Promise<void>;
  /** From now on nothing can be written, by whomever. */
  close(): Promise<void>;
  open(): Promise<void>;
  /** When nobody uses it any more. */
  remove(): Promise<void>;
}

/** Undefined where this user may mount nothing. */
export async function smallDisk(): Promise<SmallDisk | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-disk-"));
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder]);
  } catch {
    await rm(folder, { recursive: true });
    return undefined;
  }
  const filler = join(folder, "filler");
  return {
    folder,
    async fill() {
      // Larger pieces leave a rest, and a rest is enough for a small file.
      for (const size of [1024 * 1024, 4096, 512]) {
        const piece = Buffer.alloc(size);
        while (await appended(filler, piece));
      }
    },
    free: () => rm(filler, { force: true }),
    close: async () => void (await run("mount", ["-o", "remount,ro", folder])),
    open: async () => void (await run("mount", ["-o", "remount,rw", folder])),
    async remove() {
      await run("umount", [folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function appended(file: string, piece: Buffer): Promise<boolean> {
  return writeFile(file, piece, { flag: "a" }).then(
    () => true,
    () => false,
  );
}
