/** From the archive of a store to a template; what is in it is not trusted. */
import { readArchive } from "../../system/archives/read-archive.js";
import { Rejection } from "../../system/errors.js";
import { type LoadedTemplate, loadTemplate } from "../loaded-template.js";
import { deepest, isIgnored, mostBytes, mostFiles, type TemplateFiles } from "../template-folder.js";
import { describeProblems, type TemplateProblem } from "../template-problem.js";

/** Begins the versions of templates that came from stores; those of folders are plain hashes. */
const versionStart = "store-";

/** What a tar archive may say of each file, beside its content. */
const bytesAboutFile = 8 * 1024;

/** The host itself reads these files, and serves nobody meanwhile. */
const mostJsonBytes = 256 * 1024;
const mostLanguages = 100;

const mostProblems = 20;

/** That memory takes for a text of a language, beside its characters. */
const bytesAboutText = 64;

/** The version of the template in an archive. */
export function versionOf(sha256: string): string {
  return `${versionStart}${sha256}`;
}

/** The archive of a version; undefined for versions that came from no store. */
export function archiveOf(version: string): string | undefined {
  return version.startsWith(versionStart) ? version.slice(versionStart.length) : undefined;
}

/** The template in an archive. Rejects with a `Rejection` that says everything that is wrong with it; EJS is not looked at. */
export async function readStoreTemplate(
  sha256: string,
  archive: Buffer,
  allowed: { scripts: boolean },
): Promise<LoadedTemplate> {
  const files = await templateFiles(archive);
  const loaded = loadTemplate({ files, version: versionOf(sha256), origins: new Map() }, []);
  if ("problems" in loaded) throw rejectionOf(loaded.problems);
  const { definition } = loaded.template;
  if (definition.shared.length > 0)
    throw new Rejection("template.json: shared: a template of a store has all of its files in its archive");
  if (definition.scripts && !allowed.scripts) {
    throw new Rejection(
      "template.json: scripts: the host's configuration does not permit them (templates.store.scripts)",
    );
  }
  return loaded.template;
}

/** What is wrong with a template, as far as a log has room for it. */
export function rejectionOf(problems: readonly TemplateProblem[]): Rejection {
  const shown = problems.slice(0, mostProblems);
  const more = problems.length > shown.length ? `\nand ${problems.length - shown.length} more` : "";
  return new Rejection(`${describeProblems(shown)}${more}`);
}

/** Bytes that a template takes in memory, about. */
export function bytesOf({ texts, style, assets, translations, definition }: LoadedTemplate): number {
  const translated = [...translations.values()].flatMap((language) => Object.entries(language));
  const lengths = [...texts.values(), style, JSON.stringify(definition)].map((text) => text.length);
  const sizes = [...assets.values()].map((content) => content.byteLength);
  const entries = translated.map(([key, text]) => key.length + text.length + bytesAboutText);
  return [...lengths, ...sizes, ...entries].reduce((sum, each) => sum + each, 0);
}

/** With the limits of folders. */
async function templateFiles(archive: Buffer): Promise<TemplateFiles> {
  const limits = { files: mostFiles, bytes: mostBytes + mostFiles * bytesAboutFile };
  const files = [...(await readArchive(archive, limits))].filter(
    ([path]) => !path.split("/").some((name) => isIgnored(name)),
  );
  const bytes = files.reduce((sum, [, content]) => sum + content.byteLength, 0);
  if (bytes > mostBytes) throw new Rejection(`the template has ${bytes} bytes; it may have ${mostBytes}`);
  const described = files.filter(([path]) => path === "template.json" || path.startsWith("i18n/"));
  const jsonBytes = described.reduce((sum, [, content]) => sum + content.byteLength, 0);
  if (jsonBytes > mostJsonBytes)
    throw new Rejection(
      `template.json and the files in i18n have ${jsonBytes} bytes; together they may have ${mostJsonBytes}`,
    );
  if (described.length - 1 > mostLanguages)
    throw new Rejection(`i18n has ${described.length - 1} files; it may have ${mostLanguages}`);
  const deep = files.find(([path]) => path.split("/").length - 1 > deepest);
  if (deep !== undefined) throw new Rejection(`${deep[0]}: folders are nested deeper than ${deepest}`);
  return new Map(files);
}
