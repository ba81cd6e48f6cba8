/** A host whose templates have the words of a language that is written from right to left, too. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "../start-host.js";
import { type Reporter, startReporter } from "./printed-reports.js";

/** Serves templates of the repository, and what they share, from copies that speak "Arabic" (in English). */
export async function startMirroredReporter(...templates: string[]): Promise<Reporter> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-mirrored-"));
  const shared = await Promise.all(templates.map(sharedFolders));
  for (const name of new Set([...shared.flat(), ...templates])) {
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

async function sharedFolders(template: string): Promise<string[]> {
  const file = join(repository, "templates", template, "template.json");
  const { shared }: { shared: string[] } = JSON.parse(await readFile(file, "utf8"));
  return shared;
}
