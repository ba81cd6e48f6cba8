/** Templates as one service: registry, watch, and the processes that render. */
import { resolve } from "node:path";
import {
  type Log,
  parseLocale,
  type RenderRequest,
  RequestError,
  type TemplateDefinition,
  type TemplateRecord,
} from "@slipway/sdk";
import { type LoadedTemplate, located } from "./loaded-template.js";
import { attachmentContent, templateDefinition, templateRecord } from "./localized-template.js";
import { mediaTypeOf } from "./media-types.js";
import { RenderFailure } from "./render-errors.js";
import type { Limits } from "./render-job.js";
import { RenderPool } from "./render-pool.js";
import { describeProblem, type TemplateProblem } from "./template-problem.js";
import { TemplateRegistry } from "./template-registry.js";
import type { TemplateChange, TemplateService, TemplateState } from "./template-service.js";
import { TemplateVersions } from "./template-versions.js";
import { watchTemplates } from "./template-watch.js";
import type { TemplatesConfiguration } from "./templates-configuration.js";

/**
 * How long the check of a new version may wait for a process, in milliseconds; what the process does with it has the
 * limit of any template. Long, because at the start of a host all templates wait while the machine is busy.
 */
const patience = 60_000;

export interface TemplateServiceOptions {
  configuration: TemplatesConfiguration;
  /** Each sub folder is a template. */
  folders: string[];
  log: Log;
}

/** Has to be started before it is asked. */
export function createTemplateService(options: TemplateServiceOptions): TemplateService {
  return new FolderTemplates(options);
}

class FolderTemplates implements TemplateService {
  private readonly versions: TemplateVersions;
  private readonly registry: TemplateRegistry;
  /** Templates without the strict access check never share a process with others. */
  private readonly pools: { strict: RenderPool; unsafe: RenderPool };
  private stopWatching: (() => Promise<void>) | undefined;
  /** Versions and keys whose missing translation was logged. */
  private readonly reported = new Set<string>();

  private readonly folders: string[];

  constructor(private readonly options: TemplateServiceOptions) {
    const { configuration, log } = options;
    this.folders = options.folders.map((folder) => resolve(folder));
    this.pools = {
      strict: new RenderPool(configuration.processes, true, configuration, log),
      unsafe: new RenderPool(1, false, configuration, log),
    };
    this.versions = new TemplateVersions(configuration.retention, (version) => this.forget(version));
    this.registry = new TemplateRegistry(
      this.folders,
      configuration.allowUnsafeVelocityAccess,
      this.versions,
      (template) => this.check(template),
      log,
    );
  }

  async start(): Promise<void> {
    const { configuration, log } = this.options;
    this.pools.strict.start();
    if (configuration.watch) {
      this.stopWatching = watchTemplates(this.folders, configuration, () => void this.registry.scan(), log);
    }
    await this.registry.scan();
  }

  async stop(): Promise<void> {
    const closed = this.registry.close();
    await this.stopWatching?.();
    await Promise.all([this.pools.strict.stop(), this.pools.unsafe.stop()]);
    await closed;
  }

  async list(locale: string, reload: boolean): Promise<TemplateRecord[]> {
    if (reload) await this.registry.reload();
    return this.registry.list().map((template) => templateRecord(template.definition, locale));
  }

  async find(key: string, locale: string): Promise<TemplateDefinition | undefined> {
    const template = this.registry.find(key);
    return template && templateDefinition(template.definition, template.version, locale);
  }

  async render(request: RenderRequest, limits: Limits): Promise<{ html: string }> {
    const template = this.requested(request);
    const { data } = request;
    const locale = requireLocale(request.locale, "locale");
    const formatLocale = requireLocale(request.formatLocale, "formatLocale");
    try {
      const input = { data, locale, formatLocale };
      const { html, missing } = await this.poolOf(template).render(template, input, limits);
      this.reportMissing(template, missing);
      return { html };
    } catch (error) {
      throw error instanceof RenderFailure
        ? templateError(template, located(template, error.problem))
        : error;
    }
  }

  async asset(
    version: string,
    path: string,
  ): Promise<{ mediaType: string; content: Uint8Array } | undefined> {
    const content = this.versions.get(version)?.assets.get(path);
    return content && { mediaType: mediaTypeOf(path), content };
  }

  async attachment(version: string, key: string, locale: string): Promise<Uint8Array | undefined> {
    const template = this.versions.get(version);
    return template && attachmentContent(template, key, locale);
  }

  states(): TemplateState[] {
    return this.registry.states();
  }

  follow(listener: (change: TemplateChange) => void): () => void {
    return this.registry.follow(listener);
  }

  private requested({ key, version }: RenderRequest): LoadedTemplate {
    const template = this.versions.get(version);
    if (template && [template.definition.key, ...template.definition.aliases].includes(key)) return template;
    throw new RequestError({
      id: "request-template-not-found",
      code: 404,
      message: `There is no template "${key.slice(0, 100)}" in the version "${version.slice(0, 100)}".`,
    });
  }

  /** What is wrong with the EJS files of a new version, found where they will run. */
  private async check(template: LoadedTemplate): Promise<TemplateProblem[]> {
    const deadline = Date.now() + patience;
    try {
      const limits = { signal: new AbortController().signal, deadline };
      const problems = await this.poolOf(template).check(template, limits);
      return problems.map((problem) => located(template, problem));
    } catch (error) {
      if (error instanceof RenderFailure) return [error.problem];
      throw error;
    }
  }

  private poolOf(template: LoadedTemplate): RenderPool {
    return template.definition.allowUnsafeVelocityAccess ? this.pools.unsafe : this.pools.strict;
  }

  private forget(version: string): void {
    this.pools.strict.forget(version);
    this.pools.unsafe.forget(version);
  }

  private reportMissing({ definition, version }: LoadedTemplate, keys: string[]): void {
    const unknown = keys.filter((key) => !this.reported.has(`${version} ${key}`));
    if (unknown.length === 0 || this.reported.size > 10_000) return;
    for (const key of unknown) this.reported.add(`${version} ${key}`);
    this.options.log.warn("A template has no text for some keys.", { key: definition.key, missing: unknown });
  }
}

function requireLocale(text: string, field: string): string {
  const locale = parseLocale(text);
  if (locale) return locale.tag;
  throw new RequestError({
    id: "request-bad-request",
    code: 400,
    message: `${field}: expected a locale such as "de_DE", received ${JSON.stringify(text.slice(0, 80))}`,
  });
}

function templateError({ definition }: LoadedTemplate, problem: TemplateProblem): RequestError {
  const { file, line, message } = problem;
  return new RequestError({
    id: "template-error",
    code: 500,
    message: `The template "${definition.key}" failed at ${describeProblem(problem)}`,
    cause: [message],
    additionalInformation: { templateKey: definition.key, file, ...(line !== undefined && { line }) },
  });
}
