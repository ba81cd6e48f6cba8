/**
 * LibreOffice out of the packages of Debian or Ubuntu, unpacked beside the installed npm packages: nothing of the system
 * changes, and no rights are needed.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { repository } from "../start-host.js";

const run = promisify(execFile);

const cache = join(repository, "node_modules", ".cache", "libreoffice");
const wanted = "libreoffice-calc-nogui";
/** Milliseconds; a lock that is older belongs to nobody. */
const longestFetch = 15 * 60_000;

/** A program with what it needs of the environment. */
export interface BroughtProgram {
  program: string;
  environment: Record<string, string>;
}

/** The program, fetched when it is not there yet (about 110 MB); or why that is not possible, in a sentence. */
export async function broughtLibreOffice(): Promise<BroughtProgram | string> {
  const root = join(cache, "root");
  if (existsSync(root)) return programIn(root);
  if (!(await works("apt-get", ["--version"])) || !(await works("dpkg-deb", ["--version"]))) {
    return "this system has no apt-get and dpkg-deb to fetch it with";
  }
  await mkdir(cache, { recursive: true });
  return await locked(async () => {
    if (existsSync(root)) return programIn(root);
    process.stderr.write(`Fetching LibreOffice for the tests into ${cache} (once, about 110 MB) …\n`);
    const work = await mkdtemp(join(cache, "work-"));
    try {
      await fetchPackages(work);
      await rename(join(work, "root"), root);
      return programIn(root);
    } catch (error) {
      return `its packages cannot be fetched (${firstLine(error)})`;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
}

async function programIn(root: string): Promise<BroughtProgram> {
  const libraries = await libraryFolders(root);
  return {
    program: join(root, "usr/lib/libreoffice/program/soffice"),
    environment: {
      LD_LIBRARY_PATH: [join(root, "usr/lib/libreoffice/program"), ...libraries].join(":"),
      FONTCONFIG_FILE: join(root, "fonts.conf"),
    },
  };
}

/** `/lib/x86_64-linux-gnu` and its like. */
async function libraryFolders(root: string): Promise<string[]> {
  const folders: string[] = [];
  for (const parent of ["usr/lib", "lib"]
    .map((name) => join(root, name))
    .filter((name) => existsSync(name))) {
    for (const name of await readdir(parent))
      if (name.endsWith("-linux-gnu")) folders.push(join(parent, name));
  }
  return folders;
}

/** Fetches and unpacks everything that the system does not have, into `root` of the folder. */
async function fetchPackages(work: string): Promise<void> {
  const archives = join(work, "archives");
  await mkdir(join(work, "state", "lists", "partial"), { recursive: true });
  await mkdir(join(work, "cache", "archives", "partial"), { recursive: true });
  await mkdir(archives);
  await mkdir(join(work, "root"));
  await writeFile(join(work, "status"), await installedPackages());
  const options = [
    `Dir::State=${join(work, "state")}`,
    `Dir::State::status=${join(work, "status")}`,
    `Dir::Cache=${join(work, "cache")}`,
    "Acquire::Languages=none",
    "Acquire::Retries=2",
    "Acquire::http::Timeout=20",
    "Acquire::https::Timeout=20",
    "APT::Sandbox::User=",
    "APT::Update::Error-Mode=any",
  ].flatMap((option) => ["-o", option]);
  const settings = { cwd: archives, maxBuffer: 64 * 1024 ** 2, timeout: longestFetch };
  const apt = async (...parameters: string[]): Promise<string> =>
    (await run("apt-get", [...options, ...parameters], { ...settings, env: { ...process.env, LC_ALL: "C" } }))
      .stdout;
  await apt("update");
  const plan = await apt("install", "--simulate", "--no-install-recommends", wanted);
  const packages = [...plan.matchAll(/^Inst (\S+) (?:\[\S+\] )?\((\S+) /gm)].map(
    ([, name, version]) => `${name}=${version}`,
  );
  await apt("download", ...packages);
  for (const archive of await readdir(archives)) {
    await run("dpkg-deb", ["--extract", join(archives, archive), join(work, "root")]);
  }
  await keepLinksInside(join(work, "root"), join(work, "root"));
  await placeRegistry(join(work, "root", "usr/lib/libreoffice/share"));
  await keepPathsInside(join(work, "root", "usr/lib/libreoffice/program"), join(cache, "root"));
  await writeFile(join(work, "root", "fonts.conf"), fontConfiguration(join(cache, "root")));
}

/** What the system has, but LibreOffice itself: parts of it may be there and be of no use. */
async function installedPackages(): Promise<string> {
  const status = await readFile("/var/lib/dpkg/status", "utf8");
  const entries = status.split("\n\n").filter((entry) => !/^Source: libreoffice(?: |$)/m.test(entry));
  return `${entries.join("\n\n")}\n`;
}

/** What the scripts of the packages do when they are installed. */
async function placeRegistry(share: string): Promise<void> {
  const hidden = join(share, ".registry");
  if (existsSync(hidden)) await cp(hidden, await realpath(join(share, "registry")), { recursive: true });
}

/** The program's settings name folders by URL; `root` is where they will be. */
async function keepPathsInside(program: string, root: string): Promise<void> {
  for (const name of await readdir(program)) {
    if (!name.endsWith("rc")) continue;
    const path = join(program, name);
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(/file:\/\/(?=\/(?:usr|etc|var)\/)/g, pathToFileURL(root).href));
  }
}

/** Packages link to absolute paths, such as /etc/libreoffice. */
async function keepLinksInside(folder: string, root: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const about = await lstat(path);
    if (about.isDirectory()) await keepLinksInside(path, root);
    else if (about.isSymbolicLink()) await keepLinkInside(path, root);
  }
}

async function keepLinkInside(path: string, root: string): Promise<void> {
  const target = await readlink(path);
  if (!target.startsWith("/") || !existsSync(join(root, target))) return;
  const up = path.slice(root.length + 1).split("/").length - 1;
  await rm(path);
  await symlink(join(...Array.from({ length: up }, () => ".."), target), path);
}

function fontConfiguration(root: string): string {
  return `<?xml version="1.0"?>
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>/usr/share/fonts</dir>
  <dir>${join(root, "usr/share/fonts")}</dir>
  <cachedir>${join(cache, "fonts")}</cachedir>
</fontconfig>
`;
}

/** One at a time, among processes too. */
async function locked<Result>(work: () => Promise<Result>): Promise<Result> {
  const lock = join(cache, "lock");
  while (!(await taken(lock))) await pause(500);
  try {
    return await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

async function taken(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch {
    const since = await stat(lock).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    );
    if (Date.now() - since > longestFetch) await rm(lock, { recursive: true, force: true });
    return false;
  }
}

async function works(program: string, parameters: string[]): Promise<boolean> {
  return run(program, parameters).then(
    () => true,
    () => false,
  );
}

function firstLine(error: unknown): string {
  const { stderr } = Object(error);
  const text = typeof stderr === "string" && stderr.trim() !== "" ? stderr : String(error);
  return text.trim().split("\n")[0]?.slice(0, 200) ?? "";
}
