/** A host whose template has the words of a language that is written from right to left, too. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "../start-host.js";
import { type Reporter, startReporter } from "./printed-reports.js";

/** Serves one template of the repository, and what it shares, from a copy that speaks "Arabic" (in English). */
export async function startMirroredReporter(template: string): Promise<Reporter> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-mirrored-"));
  for (const name of ["_standard", template]) {
    await cp(join(repository, "templates", name), join(folder, name), { recursive: true });
    const words = await readFile(join(folder, name, "i18n", "en.json"));
    await writeFile(join(folder, name, "i18n", "ar.json"), words);
  }
  const reporter = await startReporter({ templates: [folder] });
  return {
    ...reporter,
    async stop() {
      await reporter.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
