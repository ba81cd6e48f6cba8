/** Templates with the words of a language that is written from right to left. */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../start-host.js";

/** Copies a template of the repository, and what it shares, into a new folder in which it speaks "Arabic" (in English). */
export async function mirroredTemplate(template: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const name of ["_standard", template]) {
    await cp(join(repository, "templates", name), join(folder, name), { recursive: true });
    const words = await readFile(join(folder, name, "i18n", "en.json"));
    await writeFile(join(folder, name, "i18n", "ar.json"), words);
  }
  return folder;
}
