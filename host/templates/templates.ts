/**
 * Templates: the door of this folder, which all others import.
 *
 * In: folders with templates (configured ones, and those of plugins), template stores over HTTP, the data of a report as JSON.
 * Out: lists, options, assets and attachments for clients; a report as HTML, with warnings; states, problems and changes
 * for admins and authors; archives for a store.
 * Owns: the processes that render, the watch of the folders, `var/template-store`; in memory the versions that serve, and
 * older ones for reports that have begun.
 *
 * What takes long to load is loaded when it is needed: the command line imports this file for the words alone.
 */
import type { TemplateServiceOptions } from "./create-template-service.js";
import type { LoadedTemplate } from "./loaded-template.js";
import type { PublishedTemplates, PublishOptions } from "./publish-templates.js";
import type { TemplateProblem } from "./template-problem.js";
import type { TemplateService } from "./template-service.js";

export type { LoadedTemplate } from "./loaded-template.js";
export * from "./template-problem.js";
export * from "./template-service.js";

/** Creates the service of a host; call `start` before use. */
export async function createTemplateService(options: TemplateServiceOptions): Promise<TemplateService> {
  const service = await import("./create-template-service.js");
  return service.createTemplateService(options);
}

/**
 * The template in a folder, or all problems of its files but those of EJS, which only rendering processes find. `unsafeKeys`: those of
 * the setting `templates.allowUnsafeVelocityAccess`.
 */
export async function readTemplate(
  folder: string,
  unsafeKeys: readonly string[],
): Promise<{ template: LoadedTemplate } | { problems: TemplateProblem[] }> {
  const { readTemplateContent } = await import("./template-content.js");
  const { loadTemplate } = await import("./loaded-template.js");
  try {
    return await loadTemplate(await readTemplateContent(folder), unsafeKeys);
  } catch (error) {
    const { readingProblem } = await import("./template-entry.js");
    return { problems: [readingProblem(folder, error)] };
  }
}

/**
 * Creates `<folder>/<key>`, ready to serve, and returns its path. `name` is the display name. Rejects with a sentence
 * for users when the key is invalid, and with EEXIST when the folder exists.
 */
export async function newTemplate(folder: string, key: string, name: string): Promise<string> {
  return await (await import("./new-template.js")).newTemplate(folder, key, name);
}

/** Writes templates as the files of a store. Throws a `Rejection` with all problems, and then writes nothing. */
export async function publishTemplates(options: PublishOptions): Promise<PublishedTemplates> {
  return await (await import("./publish-templates.js")).publishTemplates(options);
}

/** The address of the index of a store; 400 `request-bad-request` for an address that is invalid. */
export async function storeIndexAddress(store: string): Promise<URL> {
  const { storeUrl } = await import("./stores/store-address.js");
  const { indexFile } = await import("./stores/store-index.js");
  return new URL(indexFile, storeUrl(store));
}
