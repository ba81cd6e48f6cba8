import { access, stat } from "node:fs/promises";
import type { Configuration } from "../configuration/configuration.js";
import { hasNoKeys, keyFileOf } from "../configuration/key-file.js";
import type { PartHealth } from "../observability/health.js";
import { addedFontsFolder, allFonts } from "../pdf/fonts/fonts.js";
import { isLoopback } from "../system/addresses.js";
import { errorMessage } from "../system/errors.js";
import { diskRoom, missingRoom } from "../system/free-disk.js";
import { shownSize } from "../system/shown-amount.js";
import { type Check, hint, right, wrong } from "./checks/check.js";
import { engineChecks } from "./checks/engine-checks.js";
import {
  dropInChecks,
  isReadable,
  networkDriveCheck,
  ownerCheck,
  proceduresCheck,
  userName,
  varCheck,
} from "./checks/folder-checks.js";
import { nodeCheck } from "./checks/node-check.js";
import { portCheck } from "./checks/port-check.js";
import { memoryCheck, openFilesCheck, userCheck } from "./checks/process-checks.js";
import { proxyCheck, templateStoreCheck } from "./checks/server-checks.js";
import { futureFilesCheck, localeCheck, timeZoneCheck } from "./checks/time-checks.js";
import { printableScripts } from "./printable-scripts.js";
import { withTemporaryHost } from "./temporary-host.js";

/** Bytes; a busy hour uses up less. */
const littleRoom = 1024 * 1024 * 1024;

type CheckStep = (configuration: Configuration) => Check | Check[] | Promise<Check | Check[]>;

/** Checks before a host is started, in order. */
const allChecks: readonly CheckStep[] = [
  () => nodeCheck(),
  userCheck,
  varCheck,
  ownerCheck,
  networkDriveCheck,
  diskCheck,
  dropInChecks,
  proceduresCheck,
  (configuration) => keyFileCheck(keyFileOf(configuration)),
  openAccessCheck,
  portCheck,
  () => openFilesCheck(),
  (configuration) => memoryCheck(configuration),
  futureFilesCheck,
  () => timeZoneCheck(),
  localeCheck,
  templateStoreCheck,
  engineChecks,
  () => proxyCheck(),
  fontsCheck,
];

/**
 * Checks an installation step by step. The last checks start a temporary host with temporary files, so that a running
 * host is not disturbed.
 */
export async function* installationChecks(configuration: Configuration): AsyncGenerator<Check> {
  yield right("configuration", "every setting is right");
  for (const step of allChecks) yield* [await step(configuration)].flat();
  try {
    const parts = await withTemporaryHost(
      { ...configuration, log: { ...configuration.log, level: "silent" } },
      async (host) => host.parts(),
    );
    // These describe only the temporary host.
    const { configuration: _, storage: __, ...others } = parts;
    for (const [name, part] of Object.entries(others)) yield* partChecks(name, part);
  } catch (error) {
    yield wrong("host", errorMessage(error));
  }
}

/** Lists the printable scripts; missing ones are no problem. */
async function fontsCheck({ pdf, var: folder }: Configuration): Promise<Check> {
  try {
    const folders = { added: addedFontsFolder(folder), configured: pdf.fontFolders };
    const fonts = await allFonts(folders);
    for (const font of fonts) await access(font);
    const scripts = (await printableScripts(folders)).filter(({ printable }) => printable);
    const names = ["latin", "greek", "cyrillic", ...scripts.map(({ script }) => script)].join(", ");
    return right("fonts", `${fonts.length} font files for ${names}; more with slipway fonts add`);
  } catch (error) {
    return wrong(
      "fonts",
      `${errorMessage(error)}; see pdf.fontFolders and slipway fonts list, or run npm install again`,
    );
  }
}

/** Includes problems that do not prevent a part from serving. */
function* partChecks(name: string, part: PartHealth): Generator<Check> {
  yield { name, ok: part.ready, detail: part.detail };
  for (const problem of part.problems ?? []) yield wrong(name, problem);
}

/** Whether there is space for generated files; empty if the system does not report it. */
async function diskCheck({ var: folder, files }: Pick<Configuration, "var" | "files">): Promise<Check[]> {
  const room = await diskRoom(folder);
  if (room === undefined) return [];
  const free = `${shownSize(room.free)} of ${shownSize(room.total)} are free on the disk of ${folder}`;
  if (missingRoom(room, files.minimumFree) > 0) {
    const mend = "make room, choose another folder with --var, or lower files.minimumFree";
    return [wrong("disk", `${free}, less than generated files must leave free; ${mend}`)];
  }
  return [room.free < littleRoom ? hint("disk", `only ${free}`) : right("disk", free)];
}

async function keyFileCheck(file: string): Promise<Check[]> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return [];
  if (!(await isReadable(file)))
    return [wrong("keys", `${file} cannot be read; fix it with chown ${userName()} ${file}`)];
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0)
    return [wrong("keys", `others can read ${file}; fix it with chmod 600 ${file}`)];
  return [right("keys", `${file} is readable for its owner alone`)];
}

/** Access without keys is a deliberate setting, and worth a hint. */
function openAccessCheck(configuration: Pick<Configuration, "host" | "access" | "engine" | "var">): Check[] {
  const { host } = configuration;
  if (isLoopback(host) || !hasNoKeys(configuration)) return [];
  const detail = `anyone who can reach ${host} has full access, because there is no key; create one with slipway key new`;
  return [hint("keys", detail)];
}
