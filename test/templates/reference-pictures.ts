/**
 * Reports compared with the pictures in reference/. After a change that is meant,
 * `TAP_SNAPSHOT=1 node test/run.mjs test/release/reference-pictures.test.ts` and the same with `test/templates` write those anew that
 * differ: look at each.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectDocument } from "@slipway/sdk";
import type { Test } from "tap";
import { largeProject } from "../bench/pdf/large-project.js";
import { repository } from "../start-host.js";
import { contactSheet, difference, smallPicture, tolerance } from "./page-pictures.js";
import { startReporter } from "./printed-reports.js";
import { shippedTemplates } from "./shipped-templates.js";

export const pictureFolder = join(repository, "test", "templates", "reference");
export const languages = ["en_GB", "de_DE", "fr_FR", "nl_NL", "pl_PL", "es_ES"];

const demo: ProjectDocument = JSON.parse(
  await readFile(join(repository, "config", "demo", "demo-project.json"), "utf8"),
);
export const projects = { demo, "300": await largeProject(300) };

const isWriting = process.env["TAP_SNAPSHOT"] === "1";
const mostPages = 4;

export function pictureName(template: string, language: string, project: string): string {
  return `${template}-${language.slice(0, 2)}-${project}.png`;
}

/** Prints a project with every shipped template in these languages. */
export async function sameAsReference(
  t: Test,
  project: keyof typeof projects,
  languages: readonly string[],
): Promise<void> {
  const reporter = await startReporter();
  t.teardown(() => reporter.stop());
  await mkdir(pictureFolder, { recursive: true });
  for (const language of languages) {
    const sessionId = await reporter.open(projects[project], language);
    for (const key of await shippedTemplates()) {
      const name = pictureName(key, language, project);
      const sheet = await contactSheet(await reporter.file(sessionId, {}, key), chosen);
      const share = await compared(join(pictureFolder, name), sheet);
      t.ok(share <= tolerance, `${name} differs in ${(share * 100).toFixed(2)}% of its area`);
    }
  }
}

/** Share of its area in which a sheet differs from its picture, all of it where there is none. */
async function compared(picture: string, sheet: Uint8Array): Promise<number> {
  const before = await readFile(picture).catch(() => undefined);
  const share = before === undefined ? 1 : await difference(sheet, before);
  if (!isWriting || share <= tolerance) return share;
  await writeFile(picture, await smallPicture(sheet));
  return 0;
}

/** Small documents whole, of others the first, one from the middle and the last page. */
function chosen(pages: number): number[] {
  if (pages <= mostPages) return Array.from({ length: pages }, (_, index) => index + 1);
  return [1, 2, Math.ceil(pages / 2), pages];
}
