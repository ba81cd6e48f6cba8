/** Reads a template from the archive of a store, which is untrusted. */
import { readArchive } from "../../system/archives/archive-files.js";
import { Rejection } from "../../system/errors.js";
import { type LoadedTemplate, loadTemplate } from "../loaded-template.js";
import { deepest, isIgnored, mostBytes, mostFiles, type TemplateFiles } from "../template-folder.js";
import { describeProblems, type TemplateProblem } from "../template-problem.js";

/** Prefix of the versions of store templates; versions of folder templates are plain hashes. */
const versionStart = "store-";

/** Allowance for tar metadata per file. */
const bytesAboutFile = 8 * 1024;

/** Limit for the files that the host itself parses, which blocks its event loop. */
const mostJsonBytes = 256 * 1024;
const mostLanguages = 100;

const mostProblems = 20;

/** Memory per text of a language, besides its characters. */
const bytesAboutText = 64;

/** The version of the template in an archive. */
export function versionOf(sha256: string): string {
  return `${versionStart}${sha256}`;
}

/** The archive of a version; undefined for versions of folders. */
export function archiveOf(version: string): string | undefined {
  return version.startsWith(versionStart) ? version.slice(versionStart.length) : undefined;
}

/** The template in an archive. Rejects with a `Rejection` that lists all problems. Does not check EJS. */
export async function readStoreTemplate(
  sha256: string,
  archive: Buffer,
  allowed: { scripts: boolean },
): Promise<LoadedTemplate> {
  const files = await templateFiles(archive);
  const loaded = await loadTemplate({ files, version: versionOf(sha256), origins: new Map() }, []);
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

/** The problems of a template, shortened for the log. */
export function rejectionOf(problems: readonly TemplateProblem[]): Rejection {
  const shown = problems.slice(0, mostProblems);
  const more = problems.length > shown.length ? `\nand ${problems.length - shown.length} more` : "";
  return new Rejection(`${describeProblems(shown)}${more}`);
}

/** Approximate size of a template in memory, in bytes. */
export function bytesOf({ texts, style, assets, translations, definition }: LoadedTemplate): number {
  const translated = [...translations.values()].flatMap((language) => Object.entries(language));
  const lengths = [...texts.values(), style, JSON.stringify(definition)].map((text) => text.length);
  const sizes = [...assets.values()].map((content) => content.byteLength);
  const entries = translated.map(([key, text]) => key.length + text.length + bytesAboutText);
  return [...lengths, ...sizes, ...entries].reduce((sum, each) => sum + each, 0);
}

/** Applies the limits of template folders. */
async function templateFiles(archive: Buffer): Promise<TemplateFiles> {
  const limits = { files: mostFiles, bytes: mostBytes + mostFiles * bytesAboutFile };
  const files = [...(await readArchive(archive, limits, "template.json"))].filter(
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
