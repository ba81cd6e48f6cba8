/** Reads packages with fonts: from the npm registry, or from the admin's archives and folders. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Type, Validator } from "@slipway/sdk";
import { type FontPackage, fontScripts } from "../pdf/fonts/fonts.js";
import { archiveFiles } from "../system/archives/archive-files.js";
import { errorCode, errorMessage, Rejection } from "../system/errors.js";
import { withTemporaryFolder } from "./temporary-folder.js";

/** The largest package has 92 MB in 47 files. */
const unpackedLimits = { bytes: 256 * 1024 * 1024, files: 500 };
/** Bytes of one archive. */
const largestArchive = 128 * 1024 * 1024;
/** Milliseconds for one package. */
const downloadTime = 300_000;
const longestOutput = 16 * 1024 * 1024;

/** Regular and bold; other weights are ignored. */
const wantedFiles = /^(?:400Regular|700Bold)\/[\w-]+\.(?:ttf|otf)$/;
const licenceFile = "LICENSE_FONT";
const manifestFile = "package.json";

/** The used content of a package: fonts by their file names, and their licence. */
export interface FontFiles {
  name: string;
  version: string;
  fonts: ReadonlyMap<string, Buffer>;
  licence: Buffer;
}

const checkManifest = new Validator({ lazy: true }).compile(
  Type.Object({ name: Type.String(), version: Type.String() }),
  "package.json of fonts",
);

const checkFailure = new Validator({ lazy: true }).compile(
  Type.Object({ error: Type.Object({ code: Type.Optional(Type.String()), summary: Type.String() }) }),
  "answer of npm",
);

/**
 * Fetches a package with npm, whose settings for registry, proxy and certificates count, and reads it. Throws if npm is missing
 * or fails, or if the archive is not the one known to this version of Slipway.
 */
export async function fetchedFonts(wanted: FontPackage): Promise<FontFiles> {
  const { name, version, integrity } = wanted;
  return withTemporaryFolder("slipway-fonts-", async (folder) => {
    await runNpm(
      ["pack", `${name}@${version}`, "--json", "--ignore-scripts", "--loglevel=silent"],
      folder,
    ).catch((error: unknown) => {
      throw new Error(`${name} ${version} cannot be fetched: ${errorMessage(error)}`, { cause: error });
    });
    const [archive] = (await readdir(folder)).filter((each) => each.endsWith(".tgz"));
    if (archive === undefined) throw new Error(`npm wrote no archive of ${name} ${version}.`);
    const path = join(folder, archive);
    const found = await sha512(path);
    if (found !== integrity)
      throw new Error(
        `${name} ${version} of the registry is another archive than the one that is known: its hash is ${found}, expected ${integrity}. Nothing was added.`,
      );
    return archivedFonts(path);
  });
}

function runNpm(parameters: readonly string[], folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // On Windows npm is a shell script; none of the arguments comes from outside.
    const options = {
      cwd: folder,
      shell: process.platform === "win32",
      timeout: downloadTime,
      maxBuffer: longestOutput,
    };
    execFile("npm", parameters, options, (error, output) => {
      if (error === null) resolve();
      else reject(new Error(npmFailure(error, output), { cause: error }));
    });
  });
}

function npmFailure(error: Error & { killed?: boolean }, output: string): string {
  if (errorCode(error) === "ENOENT")
    return "there is no npm on this machine. Install it, or fetch the packages elsewhere and name them with --from.";
  const advice =
    'npm\'s own settings count ("npm config list" shows registry and proxy). Without a network, fetch the packages elsewhere and name them with --from.';
  if (error.killed === true) return `npm did not end within ${downloadTime / 60_000} minutes; ${advice}`;
  return `${said(output) ?? errorMessage(error)}; ${advice}`;
}

/** The reason of npm's failure, in one sentence. */
function said(output: string): string | undefined {
  try {
    const answer = checkFailure(JSON.parse(output));
    return answer.ok ? answer.value.error.summary.trimEnd().replace(/\.$/, "") : undefined;
  } catch {
    return undefined;
  }
}

/** The packages with fonts of scripts in an archive, in a folder of a package, or in the archives and folders of a folder. */
export async function givenFonts(path: string): Promise<FontFiles[]> {
  const found = await stat(path).catch(() => {
    throw new Error(`There is no readable archive or folder ${path}.`);
  });
  if (!found.isDirectory()) return known([await archivedFonts(path)]);
  const names = await readdir(path);
  if (names.includes(manifestFile)) return known([await unpackedFonts(path)]);
  const packages: FontFiles[] = [];
  for (const name of names.sort()) {
    const inner = join(path, name);
    if (name.endsWith(".tgz")) packages.push(await archivedFonts(inner));
    else if (await hasFonts(inner)) packages.push(await unpackedFonts(inner));
  }
  return known(packages);
}

async function hasFonts(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  return [manifestFile, licenceFile].every((name) => names.includes(name));
}

/** The packages with fonts of a script. */
function known(packages: FontFiles[]): FontFiles[] {
  const names = new Set(fontScripts.flatMap((script) => script.packages.map(({ name }) => name)));
  return packages.filter(({ name }) => names.has(name));
}

async function archivedFonts(path: string): Promise<FontFiles> {
  const { size } = await stat(path);
  if (size > largestArchive)
    throw new Error(`${path} has more than 128 MB, too many for a package of fonts.`);
  const files = new Map<string, Buffer>();
  try {
    for await (const { path: name, kind, content } of archiveFiles(path, unpackedLimits, manifestFile)) {
      if (kind === "folder") continue;
      const pieces: Buffer[] = [];
      for await (const piece of content) if (isWanted(name)) pieces.push(piece);
      if (isWanted(name)) files.set(name, Buffer.concat(pieces));
    }
  } catch (error) {
    if (error instanceof Rejection)
      throw new Error(`${path} cannot be used: ${error.message}.`, { cause: error });
    throw error;
  }
  return fontFiles(path, files);
}

async function unpackedFonts(folder: string): Promise<FontFiles> {
  const files = new Map<string, Buffer>();
  for (const part of ["", "400Regular", "700Bold"])
    for (const entry of await readdir(join(folder, part), { withFileTypes: true }).catch(() => [])) {
      const name = part === "" ? entry.name : `${part}/${entry.name}`;
      if (entry.isFile() && isWanted(name)) files.set(name, await readFile(join(folder, name)));
    }
  return fontFiles(folder, files);
}

function isWanted(name: string): boolean {
  return name === manifestFile || name === licenceFile || wantedFiles.test(name);
}

function fontFiles(from: string, files: ReadonlyMap<string, Buffer>): FontFiles {
  const licence = files.get(licenceFile);
  const fonts = new Map(
    [...files].flatMap(([name, content]) => (wantedFiles.test(name) ? [[basename(name), content]] : [])),
  );
  const manifest = parsedManifest(files.get(manifestFile));
  if (manifest === undefined || licence === undefined || fonts.size === 0)
    throw new Error(
      `${from} is no package of fonts: expected ${manifestFile}, ${licenceFile} and fonts in 400Regular, as in @expo-google-fonts/noto-sans-hebrew.`,
    );
  return { ...manifest, fonts, licence };
}

function parsedManifest(content: Buffer | undefined): { name: string; version: string } | undefined {
  if (content === undefined) return undefined;
  try {
    const read = checkManifest(JSON.parse(content.toString("utf8")));
    return read.ok ? { name: read.value.name, version: read.value.version } : undefined;
  } catch {
    return undefined;
  }
}

async function sha512(path: string): Promise<string> {
  const hash = createHash("sha512");
  await pipeline(createReadStream(path), hash);
  return `sha512-${hash.digest("base64")}`;
}
