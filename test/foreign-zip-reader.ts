/** Reads ZIP archives with programs that share nothing with what wrote them. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { readArchive, type TestFile } from "@slipway/sdk/testing";
import { fromBufferPromise } from "yauzl";

const run = promisify(execFile);

/** Decompresses every entry and compares its checksum; rejects if anything is wrong. */
export interface ZipReader {
  name: string;
  read(file: string, bytes: Uint8Array): Promise<unknown>;
}

const testWithPython = `import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    damaged = archive.testzip()
    if damaged is not None:
        sys.exit("damaged: " + ascii(damaged))`;

const yauzl: ZipReader = {
  name: "yauzl",
  read: async (_file, bytes) => {
    const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      const content = await buffer(await zip.openReadStreamPromise(entry));
      if (crc32(content) !== entry.crc32) throw new Error(`bad CRC of ${entry.fileName}`);
    }
  },
};

/** An archive without entries is its end alone (APPNOTE.TXT, section 4.3.16); unzip ends with a warning then. */
const emptyArchive = 22;

/** Those of this machine; the first is the most foreign one. */
export async function* zipReaders(): AsyncGenerator<ZipReader> {
  // Other programs of this name read less.
  if (await answers("unzip", ["-v"], /Info-ZIP/))
    yield { name: "unzip", read: (file) => run("unzip", ["-tqq", file]) };
  for (const python of ["python3", "python"]) {
    if (!(await answers(python, ["-c", "import zipfile, zlib; print('ready')"], /ready/))) continue;
    yield { name: "zipfile", read: (file) => run(python, ["-c", testWithPython, file]) };
    break;
  }
  yield yauzl;
}

/** Looked for once; the others take time to find. */
let firstReader: Promise<ZipReader> | undefined;

async function findFirst(): Promise<ZipReader> {
  for await (const reader of zipReaders()) return reader;
  return yauzl;
}

async function answers(program: string, parameters: string[], answer: RegExp): Promise<boolean> {
  return run(program, parameters).then(
    ({ stdout }) => answer.test(stdout),
    () => false,
  );
}

/** Rejects with the words of the reader unless it finds every entry whole. */
export async function checkZip(bytes: Uint8Array, wanted?: readonly ZipReader[]): Promise<void> {
  firstReader ??= findFirst();
  const readers = bytes.byteLength === emptyArchive ? [yauzl] : (wanted ?? [await firstReader]);
  const folder = await mkdtemp(join(tmpdir(), "slipway-foreign-zip-"));
  try {
    const file = join(folder, "archive.zip");
    await writeFile(file, bytes);
    for (const { name, read } of readers) {
      await read(file, bytes).catch((cause: unknown) => {
        throw new Error(`${name} cannot read the archive: ${cause}`, { cause });
      });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The files of an archive that a foreign reader finds whole, by name. */
export async function readWholeArchive(bytes: Uint8Array): Promise<ReadonlyMap<string, TestFile>> {
  await checkZip(bytes);
  return await readArchive(bytes);
}
