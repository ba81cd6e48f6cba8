/** The template service: registry, file watching and rendering processes. */

import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  type Log,
  parseLocale,
  type RenderRequest,
  RequestError,
  type StoreTemplates,
  type SuppressedError,
  shownValue,
  suppressedError,
  type TemplateDefinition,
  type TemplateRecord,
} from "@slipway/sdk";
import { mediaTypeOf, type RenderedTemplate, type StoreRequest } from "@slipway/sdk/runtime/host";
import type { TemplatesConfiguration } from "../configuration/templates-configuration.js";
import type { TemplateMeasures } from "../observability/measures.js";
import type { Confinement } from "../system/confinement/confinement.js";
import { fullStop } from "../system/errors.js";
import { type LoadedTemplate, located } from "./loaded-template.js";
import { attachmentContent, templateDefinition, templateRecord } from "./localized-template.js";
import { RenderFailure } from "./render-errors.js";
import { type Limits, RenderPool, type TemplateFindings } from "./render-pool.js";
import { archiveOf } from "./stores/store-template.js";
import { TemplateStores } from "./stores/template-stores.js";
import { watchTemplates } from "./template-changes.js";
import { namesOf } from "./template-entry.js";
import { describeProblem, type TemplateProblem } from "./template-problem.js";
import { TemplateRegistry } from "./template-registry.js";
import type {
  PluginTemplates,
  StoreState,
  TemplateChange,
  TemplateService,
  TemplateState,
} from "./template-service.js";
import { TemplateVersions } from "./template-versions.js";

export interface TemplateServiceOptions {
  configuration: TemplatesConfiguration;
  /** Each subfolder is a template. */
  folders: string[];
  /** Folder for templates of stores. Without it no store is used. */
  storeFolder?: string;
  /**
   * Says more of templates, for their authors: notes on names that are not there, exact lines, the failing line in error
   * responses. Reports take longer.
   */
  isForAuthors?: boolean;
  measures?: TemplateMeasures;
  confinement?: Confinement;
  log: Log;
}

/** Creates the service; call `start` before use. */
export function createTemplateService(options: TemplateServiceOptions): TemplateService {
  return new FolderTemplates(options);
}

class FolderTemplates implements TemplateService {
  private readonly versions: TemplateVersions;
  private readonly registry: TemplateRegistry;
  /** Templates without the strict access check never share a process with others. */
  private readonly pools: { strict: RenderPool; unsafe: RenderPool };
  private readonly stores: TemplateStores | undefined;
  private pluginsRead: Promise<void> = Promise.resolve();
  private stopWatching: (() => Promise<void>) | undefined;
  /** Versions and keys whose missing translation was logged. */
  private readonly reported = new Set<string>();

  private readonly folders: string[];
  private readonly isForAuthors: boolean;

  constructor(private readonly options: TemplateServiceOptions) {
    const { configuration, confinement, log } = options;
    this.folders = options.folders.map((folder) => resolve(folder));
    this.isForAuthors = options.isForAuthors ?? false;
    this.pools = {
      strict: new RenderPool(
        configuration.processes,
        true,
        configuration,
        log,
        this.isForAuthors,
        confinement,
      ),
      unsafe: new RenderPool(1, false, configuration, log, this.isForAuthors, confinement),
    };
    const { storeFolder: folder } = options;
    this.stores =
      folder === undefined ? undefined : new TemplateStores({ configuration, confinement, folder, log });
    this.versions = new TemplateVersions(configuration.retention, (version) => this.forget(version));
    this.registry = new TemplateRegistry(
      this.folders,
      configuration.allowUnsafeVelocityAccess,
      this.versions,
      (template) => this.check(template),
      configuration.settlingTime,
      log,
    );
  }

  async start(): Promise<void> {
    const { configuration, log } = this.options;
    this.pools.strict.start();
    this.stores?.start();
    if (configuration.watch) {
      this.stopWatching = watchTemplates(this.folders, configuration, () => void this.registry.scan(), log);
    }
    await this.registry.scan();
  }

  async stop(): Promise<void> {
    const closed = this.registry.close();
    await this.stopWatching?.();
    await Promise.all([this.pools.strict.stop(), this.pools.unsafe.stop(), this.stores?.stop()]);
    await closed;
  }

  async list(locale: string, reload: boolean): Promise<TemplateRecord[]> {
    if (reload) await this.registry.reload();
    return this.registry.list().map((template) => templateRecord(template.definition, locale));
  }

  async listStore(request: StoreRequest): Promise<StoreTemplates> {
    const none = { templates: [], omitted: 0, failure: "This host asks no template stores." };
    return (await this.stores?.list(request)) ?? none;
  }

  async find(key: string, locale: string): Promise<TemplateDefinition | undefined> {
    const template = this.registry.find(key);
    if (template === undefined) return await this.stores?.find(key, locale);
    this.versions.keep(template.version);
    return templateDefinition(template.definition, template.version, locale);
  }

  async render(request: RenderRequest, limits: Limits): Promise<RenderedTemplate> {
    const template = await this.requested(request);
    const begun = performance.now();
    const told = (outcome: string): void => {
      const seconds = (performance.now() - begun) / 1000;
      const key = this.isOfStore(template) ? undefined : template.definition.key;
      this.options.measures?.rendered({ template: key, outcome, seconds });
    };
    try {
      const rendered = await this.renderWith(template, request, limits);
      told("done");
      return rendered;
    } catch (error) {
      told(error instanceof RequestError ? error.id : "internal-error");
      throw error;
    }
  }

  private async renderWith(
    template: LoadedTemplate,
    request: RenderRequest,
    limits: Limits,
  ): Promise<RenderedTemplate> {
    const { data } = request;
    const locale = requireLocale(request.locale, "locale");
    const formatLocale = requireLocale(request.formatLocale, "formatLocale");
    try {
      const input = { data, locale, formatLocale };
      const { html, missing, notes } = await limits.work.step(
        "render the template",
        (work) => this.poolOf(template).render(template, input, { ...limits, work }),
        { facts: { "slipway.template": this.isOfStore(template) ? undefined : template.definition.key } },
      );
      this.reportMissing(template, missing, limits.work.log);
      const unknown = notes.map((note) => nameUnknown(template, located(template, note)));
      return {
        html,
        errors: [...(missing.length === 0 ? [] : [textsMissing(template, missing)]), ...unknown],
      };
    } catch (error) {
      if (!(error instanceof RenderFailure)) throw error;
      const problem = located(template, error.problem);
      if (this.isForAuthors) this.registry.failed(template, problem);
      throw this.templateError(template, problem);
    }
  }

  async asset(
    version: string,
    path: string,
  ): Promise<{ mediaType: string; content: Uint8Array } | undefined> {
    const content = (await this.version(version))?.assets.get(path);
    return content && { mediaType: mediaTypeOf(path), content };
  }

  async attachment(version: string, key: string, locale: string): Promise<Uint8Array | undefined> {
    const template = await this.version(version);
    return template && attachmentContent(template, key, locale);
  }

  states(): TemplateState[] {
    return this.registry.states();
  }

  storeStates(): StoreState[] {
    return this.stores?.stores() ?? [];
  }

  usePlugins(plugins: readonly PluginTemplates[]): Promise<void> {
    if (!isDeepStrictEqual(plugins, this.registry.plugins)) {
      this.registry.plugins = plugins;
      this.pluginsRead = this.registry.scan();
    }
    return this.pluginsRead;
  }

  follow(listener: (change: TemplateChange) => void): () => void {
    return this.registry.follow(listener);
  }

  private async version(version: string): Promise<LoadedTemplate | undefined> {
    return this.versions.get(version) ?? (await this.stores?.template(version));
  }

  private async requested({ key, version }: RenderRequest): Promise<LoadedTemplate> {
    const template = await this.version(version);
    if (template && namesOf(template).includes(key)) return template;
    throw new RequestError({
      id: "request-template-not-found",
      code: 404,
      message: `There is no template "${key.slice(0, 100)}" in the version "${version.slice(0, 100)}". Choose one from the list of templates.`,
    });
  }

  /** Finds the problems of the EJS files of a new version in a rendering process. */
  private async check(template: LoadedTemplate): Promise<TemplateFindings> {
    try {
      return await this.poolOf(template).check(template);
    } catch (error) {
      if (error instanceof RenderFailure) return { problems: [error.problem], notes: [] };
      throw error;
    }
  }

  private poolOf(template: LoadedTemplate): RenderPool {
    if (this.stores !== undefined && this.isOfStore(template)) return this.stores.pool;
    return template.definition.allowUnsafeVelocityAccess ? this.pools.unsafe : this.pools.strict;
  }

  private isOfStore({ version }: LoadedTemplate): boolean {
    return this.stores !== undefined && archiveOf(version) !== undefined;
  }

  private forget(version: string): void {
    this.pools.strict.forget(version);
    this.pools.unsafe.forget(version);
  }

  private templateError(template: LoadedTemplate, problem: TemplateProblem): RequestError {
    const { key } = template.definition;
    const { file, line, message, excerpt } = problem;
    return new RequestError({
      id: "template-error",
      code: 500,
      message: `The template "${key}" failed at ${fullStop(describeProblem(problem))}`,
      cause: [message],
      additionalInformation: {
        templateKey: key,
        file,
        ...(line !== undefined && { line }),
        ...(this.isForAuthors && excerpt !== undefined && { excerpt }),
      },
    });
  }

  private reportMissing({ definition, version }: LoadedTemplate, keys: string[], log: Log): void {
    const unknown = keys.filter((key) => !this.reported.has(`${version} ${key}`));
    if (unknown.length === 0 || this.reported.size > 10_000) return;
    for (const key of unknown) this.reported.add(`${version} ${key}`);
    log.warn("A template has no text for some keys.", { key: definition.key, missing: unknown });
  }
}

function textsMissing({ definition }: LoadedTemplate, keys: string[]): SuppressedError {
  const shown = keys.map((key) => JSON.stringify(key)).join(", ");
  return suppressedError({
    id: "template-text-missing",
    scope: "WARN",
    message: `The template "${definition.key}" uses texts that it has in no language: ${shown}.`,
    additionalInformation: { templateKey: definition.key, keys },
  });
}

/** A member of the data that it cannot have, as a host for authors notes it. */
function nameUnknown({ definition }: LoadedTemplate, noted: TemplateProblem): SuppressedError {
  const { file, line, excerpt } = noted;
  const problem = describeProblem(noted);
  return suppressedError({
    id: "template-name-unknown",
    scope: "WARN",
    message: `The template reads a name that its data does not have, at ${fullStop(problem)}`,
    additionalInformation: {
      templateKey: definition.key,
      problem,
      file,
      ...(line !== undefined && { line }),
      ...(excerpt !== undefined && { excerpt }),
    },
  });
}

function requireLocale(text: string, field: string): string {
  const locale = parseLocale(text);
  if (locale) return locale.tag;
  throw new RequestError({
    id: "request-bad-request",
    code: 400,
    message: `\`${field}\` must be a locale such as "de_DE", but is ${shownValue(text)}.`,
  });
}
