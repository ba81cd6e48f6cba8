/** The store templates for the template service. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Log, StoreTemplates, TemplateDefinition, TemplateFile, TemplateRecord } from "@slipway/sdk";
import type { StoreRequest } from "@slipway/sdk/runtime/host";
import type { TemplatesConfiguration } from "../../configuration/templates-configuration.js";
import type { Confinement } from "../../system/confinement/confinement.js";
import { makeFolder, unfinished } from "../../system/durable-files.js";
import { Rejection } from "../../system/errors.js";
import type { LoadedTemplate } from "../loaded-template.js";
import { templateDefinition, templateRecord } from "../localized-template.js";
import { RenderPool } from "../render-pool.js";
import type { StoreState } from "../template-service.js";
import { ArchiveFolder } from "./archive-folder.js";
import { InstallationSecret, keyMark } from "./installation-secret.js";
import { type KnownTemplate, KnownTemplates } from "./known-templates.js";
import { type StoreAccess, storeToken, storeUrl } from "./store-address.js";
import { type CatalogueParts, StoreCatalogue, type StoreOutcome } from "./store-catalogue.js";
import { StoreClient } from "./store-client.js";
import { orAborted, storeFailure, storeTooSlow } from "./store-failure.js";
import { ServerSlots, StoreWaitLimits } from "./store-limits.js";
import { StoreStates } from "./store-states.js";
import { archiveOf } from "./store-template.js";
import { TemplateLibrary } from "./template-library.js";

export interface TemplateStoresOptions {
  configuration: TemplatesConfiguration;
  /** Folder for archives; created for the first request to a store. */
  folder: string;
  confinement?: Confinement | undefined;
  log: Log;
}

/** `source` of the records of store templates; records of the server's own templates have "server". */
const storeSource = "store";

const mostCatalogues = 1000;
const mostAtOnce = 8;

export class TemplateStores {
  /** Separate processes for store templates, so that they cannot affect the server's own templates. */
  readonly pool: RenderPool;
  private readonly states = new StoreStates();
  private readonly lifetime = new AbortController();
  /** By access, least recently used first. */
  private readonly catalogues = new Map<string, StoreCatalogue>();
  private opened: Promise<CatalogueParts> | undefined;

  constructor(private readonly options: TemplateStoresOptions) {
    const { configuration, confinement, log } = options;
    this.pool = new RenderPool(configuration.store.processes, true, configuration, log, false, confinement);
  }

  /** Starts the processes if a store is configured. */
  start(): void {
    if (this.options.configuration.store.url !== undefined) this.pool.start();
  }

  /** The templates of a store for a token. Rejects with 400 `request-bad-request` for an invalid address or token. */
  async list(request: StoreRequest): Promise<StoreTemplates> {
    const address = request.url ?? this.options.configuration.store.url;
    const token = storeToken(request.token ?? "");
    if (address === undefined)
      return {
        templates: [],
        omitted: 0,
        failure: "No template store is configured, and the request names none.",
      };
    const access = { url: storeUrl(address), token };
    const { timeout } = this.options.configuration.store;
    const late = AbortSignal.timeout(timeout);
    const outcome = await this.outcome(access, request.reload);
    this.states.note(access, outcome);
    const records = await this.records(outcome.templates, request.locale, late);
    const missing = outcome.templates.length - records.length;
    const omitted = outcome.omitted + missing;
    const slow = missing > 0 && late.aborted ? storeTooSlow(timeout) : undefined;
    const failure = (outcome.failure ?? slow)?.message;
    return { templates: records, omitted, ...(failure !== undefined && { failure }) };
  }

  /** The template for a key from `list`; undefined when unknown. */
  async find(templateKey: string, locale: string): Promise<TemplateDefinition | undefined> {
    if (!templateKey.includes(keyMark)) return undefined;
    const { known } = await this.parts();
    const archive = known.find(templateKey);
    const template = archive === undefined ? undefined : await this.load(archive);
    if (template === undefined) return undefined;
    const definition = templateDefinition(template.definition, template.version, locale);
    return { ...definition, record: { ...definition.record, source: storeSource, templateKey } };
  }

  /** The template of a version; undefined when it is not from a store, or when its archive is gone. */
  async template(version: string): Promise<LoadedTemplate | undefined> {
    const archive = archiveOf(version);
    return archive === undefined ? undefined : await this.load(archive);
  }

  /** The recently used stores with their last outcome. */
  stores(): StoreState[] {
    return this.states.list();
  }

  async stop(): Promise<void> {
    this.lifetime.abort();
    await Promise.all([...this.catalogues.values()].map((catalogue) => catalogue.idle()));
    await this.pool.stop();
    const parts = await this.opened?.catch(() => undefined);
    await parts?.known.close();
  }

  /** A failure of the host itself is reported like a failure of the store. */
  private async outcome(access: StoreAccess, reload: boolean): Promise<StoreOutcome> {
    try {
      return await (await this.catalogueOf(access)).ask(reload);
    } catch (error) {
      this.options.log.error("A template store could not be asked.", { error });
      return { templates: [], omitted: 0, failure: storeFailure(error), checked: Date.now() };
    }
  }

  private async records(
    templates: readonly KnownTemplate[],
    locale: string,
    late: AbortSignal,
  ): Promise<TemplateRecord[]> {
    if (templates.length === 0) return [];
    const { library } = await this.parts();
    const records: TemplateRecord[] = [];
    for (const { archive, templateKey } of templates) {
      const definition = library.known(archive) ?? (await this.definition(archive, late));
      if (definition === undefined) continue;
      records.push({ ...templateRecord(definition, locale), source: storeSource, templateKey });
    }
    return records.sort(byWeight);
  }

  /** Loads the definition again, if time permits. */
  private async definition(archive: string, late: AbortSignal): Promise<TemplateFile | undefined> {
    const { library } = await this.parts();
    try {
      return await orAborted(library.definition(archive), late);
    } catch (error) {
      if (!late.aborted) this.options.log.warn("A template of a store is not listed.", { archive, error });
      return undefined;
    }
  }

  private async load(archive: string): Promise<LoadedTemplate | undefined> {
    const { library, log } = await this.parts();
    try {
      return await library.load(archive);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      // It was usable when listed, possibly under another configuration.
      log.warn("A template of a store has become unusable.", { archive, reason: error.message });
      return undefined;
    }
  }

  private async catalogueOf(access: StoreAccess): Promise<StoreCatalogue> {
    const parts = await this.parts();
    const id = parts.secret.accessId(access);
    const catalogue = this.catalogues.get(id) ?? new StoreCatalogue(access, parts);
    this.catalogues.delete(id);
    this.catalogues.set(id, catalogue);
    for (const [other, each] of this.catalogues) {
      if (this.catalogues.size <= mostCatalogues) break;
      if (!each.busy) this.catalogues.delete(other);
    }
    return catalogue;
  }

  private parts(): Promise<CatalogueParts> {
    this.opened ??= this.open().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }

  private async open(): Promise<CatalogueParts> {
    const { folder, log, configuration } = this.options;
    const { store } = configuration;
    await makeFolder(folder);
    await sweepUnfinished(folder);
    const secret = await InstallationSecret.open(join(folder, "secret"));
    const archives = new ArchiveFolder(join(folder, "archives"), store.diskBytes);
    const known = new KnownTemplates(join(folder, "known.json"), log);
    await Promise.all([archives.open(), known.open()]);
    const library = new TemplateLibrary(archives, this.pool, store);
    const client = new StoreClient(store, log);
    const { signal: lifetime } = this.lifetime;
    const slots = new ServerSlots(mostAtOnce);
    const waitLimits = new StoreWaitLimits(store.timeout);
    const parts = { secret, client, archives, library, known, slots, waitLimits, lifetime, log };
    return { configuration: store, ...parts };
  }
}

/** By weight, then by key. */
function byWeight(one: TemplateRecord, other: TemplateRecord): number {
  return one.sortWeight - other.sortWeight || (one.key < other.key ? -1 : 1);
}

/** Removes files that a killed host left unfinished. */
async function sweepUnfinished(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter((name) => name.endsWith(unfinished));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}
