import { access } from "node:fs/promises";
import type { Configuration } from "../configuration/configuration.js";
import { keyFileOf } from "../configuration/key-file.js";
import type { PartHealth } from "../observability/part-health.js";
import { allFonts } from "../pdf/print/shipped-fonts.js";
import { errorMessage } from "../system/error-message.js";
import { type Check, right, wrong } from "./checks/check.js";
import { diskCheck } from "./checks/disk-checks.js";
import {
  dropInChecks,
  networkDriveCheck,
  ownerCheck,
  proceduresCheck,
  varCheck,
} from "./checks/folder-checks.js";
import { keyFileCheck, openAccessCheck } from "./checks/key-checks.js";
import { portCheck } from "./checks/port-check.js";
import { memoryCheck, nodeCheck, openFilesCheck, userCheck } from "./checks/process-checks.js";
import { proxyCheck, templateStoreCheck } from "./checks/server-checks.js";
import { futureFilesCheck, localeCheck, timeZoneCheck } from "./checks/time-checks.js";
import { withTemporaryHost } from "./temporary-host.js";

type Look = (configuration: Configuration) => Check | Check[] | Promise<Check | Check[]>;

/** What is looked at before a host is tried, one after the other. */
const looks: readonly Look[] = [
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
  () => proxyCheck(),
  fontsCheck,
];

/**
 * Everything that a host needs, one after the other; a host of its own is really started for the last ones, with files
 * in a temporary folder, so that one that is running is not disturbed.
 */
export async function* installationChecks(configuration: Configuration): AsyncGenerator<Check> {
  yield right("configuration", "every setting is right");
  for (const look of looks) yield* [await look(configuration)].flat();
  try {
    const parts = await withTemporaryHost(
      { ...configuration, log: { ...configuration.log, level: "silent" } },
      async (host) => host.parts(),
    );
    // Those of its own temporary folder and of its own configuration say nothing.
    const { configuration: _, storage: __, ...others } = parts;
    for (const [name, part] of Object.entries(others)) yield* partChecks(name, part);
  } catch (error) {
    yield wrong("host", errorMessage(error));
  }
}

async function fontsCheck({ pdf }: Configuration): Promise<Check> {
  try {
    const fonts = await allFonts(pdf.fontFolders);
    for (const font of fonts) await access(font);
    return right("fonts", `${fonts.length} font files`);
  } catch (error) {
    return wrong("fonts", `${errorMessage(error)}; see pdf.fontFolders, or run npm install again`);
  }
}

/** What does not keep a part from serving is wrong all the same when somebody asks. */
function* partChecks(name: string, part: PartHealth): Generator<Check> {
  yield { name, ok: part.ready, detail: part.detail };
  for (const problem of part.problems ?? []) yield wrong(name, problem);
}
