/**
 * The headless shell that the npm package @sparticuz/chromium carries, unpacked by ourselves: the package's own
 * function reuses any file called "chromium" in the shared temporary folder, even one of another user.
 */
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, chmod, lstat, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createBrotliDecompress } from "node:zlib";
import { limited } from "../../system/archives/archive-files.js";
import { pathProblem } from "../../system/archives/entry-path.js";
import { ByteReader, tarEntries } from "../../system/archives/tar-entries.js";
import { errorMessage } from "../../system/errors.js";

const largestUnpacked = 1024 ** 3;
/** Each is written by a separate call. With Node's 16 KiB, a first start takes half a second longer. */
const pieceBytes = 64 * 1024;

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
    await decompressed(packed.folder, "chromium.br", (content) =>
      writeFile(join(temporary, "chromium"), content, { mode: 0o700 }),
    );
    await decompressed(packed.folder, "al2023.tar.br", (archive) => unpackLibraries(archive, temporary));
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

async function unpackLibraries(archive: AsyncIterable<Buffer>, folder: string): Promise<void> {
  for await (const { path, kind, content } of tarEntries(new ByteReader(archive))) {
    const problem = pathProblem(path);
    if (problem !== undefined) throw new Error(`${path} ${problem}`);
    const place = join(folder, path);
    await mkdir(kind === "folder" ? place : dirname(place), { recursive: true });
    if (kind === "file") await writeFile(place, content, { mode: 0o700 });
  }
}

/**
 * Piece by piece: in one, the host would keep most of the memory that it takes. For a full disk, Node's `pipeline` would only
 * report an abort.
 */
async function decompressed(
  folder: string,
  name: string,
  consume: (content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const packed = createReadStream(join(folder, "bin", name));
  const content = createBrotliDecompress({ chunkSize: pieceBytes });
  packed.on("error", (error) => content.destroy(error));
  try {
    await consume(limited(packed.pipe(content), largestUnpacked));
  } finally {
    packed.destroy();
    content.destroy();
  }
}

/** A folder that only this user can write to; below `var` where the user has no cache folder. */
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
