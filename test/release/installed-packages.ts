/** The packages as npm would publish them, installed in a folder outside of the repository; no network. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { checked, Type, Validator } from "@slipway/sdk";
import { extract } from "tar";
import { repository } from "../start-host.js";

const run = promisify(execFile);

const Manifest = Type.Object({
  name: Type.String(),
  bin: Type.Optional(Type.Union([Type.String(), Type.Record(Type.String(), Type.String())])),
  dependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
  optionalDependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
  peerDependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
  devDependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
});
const Packed = Type.Array(
  Type.Object({
    filename: Type.String(),
    size: Type.Number(),
    files: Type.Array(Type.Object({ path: Type.String() })),
  }),
);

export interface InstalledPackage {
  folder: string;
  /** Paths of its files below the folder. */
  files: string[];
  /** Bytes of the archive. */
  size: number;
  /** Names of the packages that it says to need. */
  dependencies: string[];
  /** Names of those that whoever installs it may add. */
  peers: string[];
  /** Absolute path of its program. */
  program: string | undefined;
}

/** Packs a workspace of the repository and unpacks it below `node_modules` of the folder, as its name says. */
export async function installPackage(workspace: string, folder: string): Promise<InstalledPackage> {
  const { stdout } = await run(
    "npm",
    ["pack", "--json", "--offline", "--ignore-scripts", "--pack-destination", folder],
    { cwd: join(repository, workspace), maxBuffer: 16 * 1024 ** 2 },
  );
  const [packed] = valid(Packed, stdout);
  if (packed === undefined) throw new Error(`npm packed nothing: ${stdout}`);
  const manifest = valid(Manifest, await readFile(join(repository, workspace, "package.json"), "utf8"));
  const target = join(folder, "node_modules", manifest.name);
  await mkdir(target, { recursive: true });
  await extract({ file: join(folder, packed.filename), cwd: target, strip: 1 });
  const { bin = {} } = manifest;
  const program = typeof bin === "string" ? bin : Object.values(bin)[0];
  return {
    folder: target,
    files: packed.files.map(({ path }) => path),
    size: packed.size,
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    peers: Object.keys(manifest.peerDependencies ?? {}),
    program: program && join(target, program),
  };
}

/** A package as it lies in its folder, packed or not. */
export async function packageAt(folder: string): Promise<InstalledPackage> {
  const manifest = valid(Manifest, await readFile(join(folder, "package.json"), "utf8"));
  return {
    folder,
    files: await readdir(folder, { recursive: true }),
    size: 0,
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    peers: Object.keys(manifest.peerDependencies ?? {}),
    program: undefined,
  };
}

/**
 * Puts what the packages say to need beside them, and nothing else: links, and copies of what plugins import, because
 * plugins get nothing that lies outside of `node_modules` of the host.
 */
export async function addDependencies(
  packages: InstalledPackage[],
  folder: string,
  ofPlugins: ReadonlySet<string>,
): Promise<void> {
  const own = ["@slipway/sdk", "slipway"];
  const names = packages.flatMap(({ dependencies }) => dependencies).filter((name) => !own.includes(name));
  for (const name of ofPlugins) await copyPackage(name, folder);
  for (const name of new Set(names)) await linkPackage(name, folder);
}

/**
 * What `npm install` would do for a plugin that `slipway plugin new` has made: its SDK comes from the archive in its folder,
 * everything else from this repository.
 */
export async function installPlugin(folder: string): Promise<void> {
  const plugin = valid(Manifest, await readFile(join(folder, "package.json"), "utf8"));
  const { "@slipway/sdk": sdk, ...others } = plugin.devDependencies ?? {};
  const target = join(folder, "node_modules", "@slipway", "sdk");
  await mkdir(target, { recursive: true });
  await extract({ file: join(folder, sdk?.replace(/^file:/, "") ?? ""), cwd: target, strip: 1 });
  const { dependencies } = valid(Manifest, await readFile(join(target, "package.json"), "utf8"));
  for (const name of [...Object.keys(others), ...Object.keys(dependencies ?? {})])
    await linkPackage(name, folder);
  const programs = join(folder, "node_modules", ".bin");
  await mkdir(programs);
  await symlink(join(folder, "node_modules", "typescript", "bin", "tsc"), join(programs, "tsc"));
}

async function linkPackage(name: string, folder: string): Promise<void> {
  const link = join(folder, "node_modules", name);
  if (existsSync(link)) return;
  await mkdir(dirname(link), { recursive: true });
  await symlink(join(repository, "node_modules", name), link);
}

/**
 * With the packages that it needs itself: those inside of it come along, others lie beside it or further up. `from` is the
 * package that asks.
 */
async function copyPackage(name: string, folder: string, from = repository): Promise<void> {
  const source = nearestPackage(name, from);
  if (source === join(repository, "node_modules", name)) {
    const target = join(folder, "node_modules", name);
    if (existsSync(target)) return;
    await cp(source, target, { recursive: true, dereference: true });
  }
  const { dependencies } = valid(Manifest, await readFile(join(source, "package.json"), "utf8"));
  for (const each of Object.keys(dependencies ?? {})) await copyPackage(each, folder, source);
}

/** Where Node.js finds a package for the code of another one. */
function nearestPackage(name: string, from: string): string {
  const found = join(from, "node_modules", name);
  if (existsSync(found)) return found;
  if (from === repository) throw new Error(`${name} is not installed`);
  return nearestPackage(name, dirname(from));
}

function valid<Schema extends Parameters<Validator["compile"]>[0]>(schema: Schema, text: string) {
  return checked(new Validator().compile(schema, "npm")(JSON.parse(text)), "npm");
}
