/** One version of a template, completely in memory, independent of its folder. */
import type { TemplateFile } from "@slipway/sdk";
import type { TemplateContent } from "./template-content.js";
import { readTemplateDefinition } from "./template-definition.js";
import { type TemplateFiles, textOf } from "./template-folder.js";
import { withLabels } from "./template-labels.js";
import { type TemplateProblem, withExcerpt } from "./template-problem.js";
import { readTranslations, type Translations } from "./template-texts.js";

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
  /** The original path of files from shared folders, by path. */
  readonly origins: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
}

const largestText = 1024 * 1024;

/** Loads a template from the content of a folder, or returns all its problems. Does not check EJS. */
export async function loadTemplate(
  content: Pick<TemplateContent, "files" | "version" | "origins">,
  unsafeKeys: readonly string[],
): Promise<{ template: LoadedTemplate } | { problems: TemplateProblem[] }> {
  const { files, version, origins } = content;
  const file = files.get("template.json");
  if (!file) return { problems: [missing("template.json")] };
  if (file.byteLength > largestText) return { problems: oversized(new Map([["template.json", file]])) };
  const text = textOf(file);
  const read = await readTemplateDefinition(text);
  if (!read.ok) return read;
  const { definition, source } = read;
  const inDefinition = ({ path, message }: Mistake): TemplateProblem =>
    withExcerpt({ file: "template.json", ...source.placeOf(path), message }, text);
  const { translations, problems, warnings } = readTranslations(files, origins);
  const labelled = withLabels(definition, files, origins);
  const all = [
    ...refusedAccess(definition, unsafeKeys).map(inDefinition),
    ...problems,
    ...labelled.problems,
    ...oversized(files),
    ...missingAttachments(definition, files).map(inDefinition),
    ...reportProblems(files.get("report.ejs")),
  ];
  if (all.length > 0) return { problems: all.map((problem) => atOrigin(problem, origins)) };
  const ofKind = (fits: (path: string) => boolean) => [...files].filter(([path]) => fits(path));
  return {
    template: {
      version,
      definition: labelled.definition,
      texts: new Map(ofKind(isTemplateText).map(([path, bytes]) => [path.slice(0, -4), textOf(bytes)])),
      translations,
      style: textOf(files.get("style.css")),
      assets: new Map(ofKind((path) => path.startsWith("assets/"))),
      origins,
      warnings: [...warnings, ...labelled.warnings],
    },
  };
}

/** Adds the text of the line and the original path to a problem in an EJS file. */
export function located(
  template: Pick<LoadedTemplate, "texts" | "origins">,
  problem: TemplateProblem,
): TemplateProblem {
  const text = template.texts.get(problem.file.replace(/\.ejs$/, ""));
  return atOrigin(withExcerpt(problem, text), template.origins);
}

function atOrigin(problem: TemplateProblem, origins: ReadonlyMap<string, string>): TemplateProblem {
  return { ...problem, file: origins.get(problem.file) ?? problem.file };
}

function missing(file: string): TemplateProblem {
  return { file, line: undefined, message: "the file is missing" };
}

/** Many editors empty a file before they write it, and an empty report is never intended. */
function reportProblems(report: Uint8Array | undefined): TemplateProblem[] {
  if (report === undefined) return [missing("report.ejs")];
  return report.byteLength > 0 ? [] : [{ file: "report.ejs", line: undefined, message: "the file is empty" }];
}

/** A mistake in template.json. */
interface Mistake {
  path: string[];
  message: string;
}

function missingAttachments(definition: TemplateFile, files: TemplateFiles): Mistake[] {
  return Object.entries(definition.attachments).flatMap(([key, { file }]) => {
    const at = ["attachments", key, "file"];
    const named = typeof file === "string" ? [{ path: at, name: file }] : [];
    const byLanguage = typeof file === "string" ? [] : Object.entries(file);
    return [...named, ...byLanguage.map(([language, name]) => ({ path: [...at, language], name }))]
      .filter(({ name }) => !files.has(name))
      .map(({ path, name }) => ({ path, message: `${path.join(".")}: the template has no file "${name}"` }));
  });
}

function refusedAccess(definition: TemplateFile, unsafeKeys: readonly string[]): Mistake[] {
  if (!definition.allowUnsafeVelocityAccess || unsafeKeys.includes(definition.key)) return [];
  const message =
    `allowUnsafeVelocityAccess: the host's configuration does not permit it for "${definition.key}" ` +
    "(templates.allowUnsafeVelocityAccess)";
  return [{ path: ["allowUnsafeVelocityAccess"], message }];
}

function oversized(files: TemplateFiles): TemplateProblem[] {
  return [...files]
    .filter(([path, bytes]) => !path.startsWith("assets/") && bytes.byteLength > largestText)
    .map(([file]) => ({ file, line: undefined, message: `larger than ${largestText} bytes` }));
}

function isTemplateText(path: string): boolean {
  return path.endsWith(".ejs") && !path.startsWith("assets/");
}
