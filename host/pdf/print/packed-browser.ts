/**
 * The headless shell that the npm package @sparticuz/chromium carries, unpacked by ourselves: the package's own
 * function reuses any file called "chromium" in the shared temporary folder, whoever put it there.
 */
import { randomUUID } from "node:crypto";
import { access, chmod, lstat, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { errorMessage } from "../../system/errors.js";

/** One regular file of a tar archive. */
interface TarFile {
  name: string;
  content: Uint8Array;
}

const blockBytes = 512;

const decompress = promisify(brotliDecompress);
const largestUnpacked = 1024 ** 3;

export interface UnpackedBrowser {
  executable: string;
  /** Shared libraries for machines that lack them. */
  libraries: string;
}

/** Where the package is and which version; undefined when it is not installed or not for this machine. */
export async function packedBrowser(): Promise<{ folder: string; version: string } | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  try {
    const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
    const folder = dirname(dirname(dirname(entry)));
    const manifest: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const version: unknown =
      typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, "version") : undefined;
    await access(join(folder, "bin", "chromium.br"));
    return typeof version === "string" ? { folder, version } : undefined;
  } catch {
    return undefined; // not installed: it is an optional dependency
  }
}

/**
 * Unpacks the browser into the cache, once per version. The cache is per user, not per `var` folder: 187 MB for
 * each of several hosts of one user would be waste.
 */
export async function unpackBrowser(
  packed: { folder: string; version: string },
  options: { cache: string | undefined; varDirectory: string },
): Promise<UnpackedBrowser> {
  const cache = await privateCache(options);
  const target = join(cache, `chromium-${packed.version}`);
  const unpacked = { executable: join(target, "chromium"), libraries: join(target, "lib") };
  if (await exists(unpacked.executable)) return unpacked;
  const temporary = join(cache, `.unpacking-${process.pid}-${randomUUID()}`);
  try {
    await mkdir(temporary, { mode: 0o700 });
    await writeFile(join(temporary, "chromium"), await decompressed(packed.folder, "chromium.br"), {
      mode: 0o700,
    });
    for (const file of tarFiles(await decompressed(packed.folder, "al2023.tar.br"))) {
      await mkdir(dirname(join(temporary, file.name)), { recursive: true });
      await writeFile(join(temporary, file.name), file.content, { mode: 0o700 });
    }
    await rename(temporary, target).catch(async (error: unknown) => {
      if (!(await exists(unpacked.executable))) throw error; // otherwise another process was faster
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return unpacked;
}

/** Removes an unpacked browser that does not start, so that the next try unpacks it again. */
export async function discardUnpacked(browser: UnpackedBrowser): Promise<void> {
  await rm(dirname(browser.executable), { recursive: true, force: true });
}

function decompressed(folder: string, name: string): Promise<Buffer> {
  return readFile(join(folder, "bin", name)).then((packed) =>
    decompress(packed, { maxOutputLength: largestUnpacked }),
  );
}

/** A folder of the user's own that nobody else can write to; below `var` where the user has no cache folder. */
async function privateCache(options: { cache: string | undefined; varDirectory: string }): Promise<string> {
  const base = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const candidates = options.cache
    ? [options.cache]
    : [join(base, "slipway"), join(options.varDirectory, "browser")];
  const refused: string[] = [];
  for (const folder of candidates) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const found = await lstat(folder);
      if (!found.isDirectory() || found.uid !== process.getuid?.())
        throw new Error("belongs to another user");
      if (found.mode & 0o077) await chmod(folder, 0o700);
      return folder;
    } catch (error) {
      refused.push(`${folder} (${errorMessage(error)})`);
    }
  }
  throw new Error(`no folder to unpack the browser into: ${refused.join(", ")}`);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * The regular files of an uncompressed tar archive (ustar, as POSIX 1003.1 describes it). Throws when the archive
 * is cut off or a name leads out of the folder.
 */
function tarFiles(archive: Uint8Array): TarFile[] {
  const files: TarFile[] = [];
  const text = new TextDecoder("latin1");
  const field = (block: number, start: number, length: number): string =>
    text.decode(archive.subarray(block + start, block + start + length)).split("\0", 1)[0] ?? "";
  let position = 0;
  while (position + blockBytes <= archive.length && archive[position] !== 0) {
    const name = [field(position, 345, 155), field(position, 0, 100)].filter(Boolean).join("/");
    const size = Number.parseInt(field(position, 124, 12).trim() || "0", 8);
    const type = field(position, 156, 1);
    const start = position + blockBytes;
    if (!Number.isSafeInteger(size) || start + size > archive.length)
      throw new Error(`archive cut off at ${name}`);
    if (name.startsWith("/") || name.split("/").includes("..")) throw new Error(`unexpected name ${name}`);
    if (type === "" || type === "0") files.push({ name, content: archive.subarray(start, start + size) });
    position = start + Math.ceil(size / blockBytes) * blockBytes;
  }
  return files;
}
