/** Checks the folders of the configuration: existence and permissions. */
import { constants } from "node:fs";
import { access, mkdir, readdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import type { Configuration } from "../../configuration/configuration.js";
import { readPricingProcedures } from "../../configuration/pricing-procedures.js";
import { errorCode, errorMessage } from "../../system/errors.js";
import { type Check, hint, right, wrong } from "./check.js";

/** Creates the folder if needed, as a start does, and writes a test file. */
export async function varCheck({ var: folder }: Pick<Configuration, "var">): Promise<Check> {
  const file = join(folder, `check-${process.pid}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, "check");
    await rm(file);
    return right("var", `${folder} can be written`);
  } catch (error) {
    if (errorCode(error) === "EEXIST" || errorCode(error) === "ENOTDIR")
      return wrong("var", `${folder} is not a folder; choose another one with --var`);
    const mend = `make ${folder} writable for ${userName()}, or choose another folder with --var`;
    return wrong("var", `${errorMessage(error)}; ${mend}`);
  }
}

/** This user cannot change files that a host under another user, such as root, has left. */
export async function ownerCheck({ var: folder }: Pick<Configuration, "var">): Promise<Check[]> {
  const user = process.getuid?.();
  if (user === undefined || user === 0) return [];
  const foreign: string[] = [];
  for (const path of [folder, ...(await below(folder))]) {
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && found.uid !== user) foreign.push(path);
  }
  const [first] = foreign;
  if (first === undefined) return [];
  const more = foreign.length === 1 ? "" : ` and ${foreign.length - 1} more`;
  return [
    wrong("var", `${first}${more} belong to another user; fix it with chown -R ${userName()} ${folder}`),
  ];
}

/** File system types of Linux. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9P"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
  [0x65735546, "FUSE"],
]);

/** Renames and syncs on a network drive are slow and sometimes unreliable. */
export async function networkDriveCheck({ var: folder }: Pick<Configuration, "var">): Promise<Check[]> {
  const type = await statfs(folder).then(
    (found) => found.type >>> 0,
    () => 0,
  );
  const name = networkFileSystems.get(type);
  if (name === undefined) return [];
  return [
    hint("var", `${folder} is on a network drive (${name}); choose a folder on a local disk with --var`),
  ];
}

/** Checks the drop-in folders of plugins and templates without writing. */
export async function dropInChecks({ folders }: Pick<Configuration, "folders">): Promise<Check[]> {
  const plugins = await Promise.all(folders.plugins.map((folder) => readableCheck("plugins", folder)));
  const templates = await Promise.all(folders.templates.map((folder) => readableCheck("templates", folder)));
  const readOnly = await Promise.all(folders.plugins.slice(0, 1).map(readOnlyHint));
  return [...plugins, ...templates, ...readOnly].flat();
}

async function readableCheck(part: "plugins" | "templates", folder: string): Promise<Check[]> {
  const name = `folder ${part}`;
  const mend = `make it readable for ${userName()}, or name another with folders.${part}`;
  try {
    const names = (await readdir(folder)).filter((each) => !each.startsWith("."));
    const unreadable: string[] = [];
    for (const each of names) if (!(await isReadable(join(folder, each)))) unreadable.push(each);
    if (unreadable.length === 0) return [right(name, `${folder} can be read`)];
    return [wrong(name, `${unreadable.join(", ")} in ${folder} cannot be read; fix it with chmod -R u+rX`)];
  } catch (error) {
    const what = errorCode(error) === "ENOENT" ? `there is no folder ${folder}` : errorMessage(error);
    return [wrong(name, `${what}; ${mend}`)];
  }
}

async function readOnlyHint(folder: string): Promise<Check[]> {
  if (await isAllowed(folder, constants.W_OK)) return [];
  if (!(await isAllowed(folder, constants.R_OK))) return [];
  const detail = `${folder} cannot be written by ${userName()}; plugins come in by other ways than upload and slipway plugin add`;
  return [hint("folder plugins", detail)];
}

/** Whether the pricing procedures are readable and valid, as a start requires. */
export async function proceduresCheck({ folders }: Pick<Configuration, "folders">): Promise<Check> {
  try {
    await readPricingProcedures(folders.procedures);
    return right("procedures", `${folders.procedures} can be read`);
  } catch (error) {
    return wrong("procedures", errorMessage(error));
  }
}

/** Whether this user may read it; folders also need the execute permission. */
export async function isReadable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  const mode = found?.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK;
  return found !== undefined && (await isAllowed(path, mode));
}

async function isAllowed(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

/** The entries of a folder and of its subfolders. */
async function below(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    const inner = entry.isDirectory() ? await readdir(path).catch(() => []) : [];
    return [path, ...inner.map((name) => join(path, name))];
  });
  return (await Promise.all(found)).flat();
}

/** Name of the user of this process. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `the user ${process.getuid?.() ?? ""}`; // one without a name, as in containers
  }
}
