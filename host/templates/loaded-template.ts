/** One version of a template, complete in memory, so that nothing that happens to its folder can touch it. */
import { readTemplateDefinition, type TemplateFile } from "./template-definition.js";
import type { FolderContent, TemplateFiles } from "./template-folder.js";
import type { TemplateProblem } from "./template-problem.js";
import { readTranslations, type Translations } from "./translations.js";

export interface LoadedTemplate {
  /** Hash of the content. */
  readonly version: string;
  readonly definition: TemplateFile;
  /** EJS texts by path without ".ejs": "report", "partials/item". */
  readonly texts: ReadonlyMap<string, string>;
  readonly translations: Translations;
  /** Content of style.css. */
  readonly style: string;
  /** Files below "assets/" by path. */
  readonly assets: TemplateFiles;
  readonly warnings: readonly string[];
}

const largestText = 1024 * 1024;

/** The template in a folder's content, or one message with everything that is wrong with it. EJS is not looked at. */
export function loadTemplate(
  content: FolderContent,
  unsafeKeys: readonly string[],
): { template: LoadedTemplate } | { error: string } {
  const { files, version } = content;
  const file = files.get("template.json");
  if (!file) return { error: "template.json: the file is missing" };
  if (file.byteLength > largestText) return { error: `template.json: larger than ${largestText} bytes` };
  const read = readTemplateDefinition(decode(file));
  if (!read.ok) return { error: read.problems.join("\n") };
  const { definition } = read;
  const { translations, problems, warnings } = readTranslations(files);
  const all = [
    ...refusedAccess(definition, unsafeKeys),
    ...[...problems, ...oversized(files)].map(describeProblem),
    ...(files.has("report.ejs") ? [] : ["report.ejs: the file is missing"]),
  ];
  if (all.length > 0) return { error: all.join("\n") };
  const ofKind = (fits: (path: string) => boolean) => [...files].filter(([path]) => fits(path));
  return {
    template: {
      version,
      definition,
      texts: new Map(ofKind(isTemplateText).map(([path, bytes]) => [path.slice(0, -4), decode(bytes)])),
      translations,
      style: decode(files.get("style.css")),
      assets: new Map(ofKind((path) => path.startsWith("assets/"))),
      warnings,
    },
  };
}

/** Such as `report.ejs:12: d.itms is not iterable`. */
export function describeProblem(problem: TemplateProblem): string {
  return `${problem.file}${problem.line === undefined ? "" : `:${problem.line}`}: ${problem.message}`;
}

function refusedAccess(definition: TemplateFile, unsafeKeys: readonly string[]): string[] {
  if (!definition.allowUnsafeVelocityAccess || unsafeKeys.includes(definition.key)) return [];
  return [
    `template.json.allowUnsafeVelocityAccess: the host's configuration does not permit it for "${definition.key}" ` +
      "(templates.allowUnsafeVelocityAccess)",
  ];
}

function oversized(files: TemplateFiles): TemplateProblem[] {
  return [...files]
    .filter(([path, bytes]) => !path.startsWith("assets/") && bytes.byteLength > largestText)
    .map(([file]) => ({ file, line: undefined, message: `larger than ${largestText} bytes` }));
}

function isTemplateText(path: string): boolean {
  return path.endsWith(".ejs") && !path.startsWith("assets/");
}

function decode(content: Uint8Array | undefined): string {
  return content === undefined ? "" : new TextDecoder().decode(content);
}
