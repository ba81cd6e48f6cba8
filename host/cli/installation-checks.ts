import { access, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PartHealth } from "../api/health.js";
import type { Configuration } from "../configuration/configuration.js";
import { allFonts } from "../pdf/fonts/shipped-fonts.js";
import type { Check } from "./show-checks.js";
import { withTemporaryHost } from "./temporary-host.js";

/** Everything that a host needs, one after the other; a host is really started for the last ones. */
export async function* installationChecks(configuration: Configuration): AsyncGenerator<Check> {
  yield { name: "configuration", ok: true, detail: "every setting is right" };
  yield await checkVar(configuration.var);
  yield await checkFonts(configuration.pdf.fontFolders);
  try {
    const parts = await withTemporaryHost({ ...configuration, log: { level: "silent" } }, async (host) =>
      host.parts(),
    );
    for (const [name, part] of Object.entries(parts)) yield* partChecks(name, part);
  } catch (error) {
    yield { name: "host", ok: false, detail: messageOf(error) };
  }
}

async function checkVar(folder: string): Promise<Check> {
  const file = join(folder, `check-${process.pid}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, "");
    await rm(file);
    return { name: "var", ok: true, detail: `${folder} can be written` };
  } catch (error) {
    const detail = `${messageOf(error)}; make ${folder} writable for this user, or choose another folder with --var`;
    return { name: "var", ok: false, detail };
  }
}

async function checkFonts(folders: string[]): Promise<Check> {
  try {
    const fonts = await allFonts(folders);
    for (const font of fonts) await access(font);
    return { name: "fonts", ok: true, detail: `${fonts.length} font files` };
  } catch (error) {
    return { name: "fonts", ok: false, detail: `${messageOf(error)}; run npm install again` };
  }
}

/** What does not keep a part from serving is wrong all the same when somebody asks. */
function* partChecks(name: string, part: PartHealth): Generator<Check> {
  yield { name, ok: part.ready, detail: part.detail };
  for (const problem of part.problems ?? []) yield { name, ok: false, detail: problem };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
