/** The templates of one store for one token. Cached for a while; one request at a time. */
import { type Log, shownValue, type TemplateFile } from "@slipway/sdk";
import { timeLimit } from "@slipway/sdk/runtime/host";
import type { TemplateStoreConfiguration } from "../../configuration/templates-configuration.js";
import { mapConcurrent } from "../../system/concurrency.js";
import { Rejection } from "../../system/errors.js";
import type { ArchiveFolder } from "./archive-folder.js";
import type { InstallationSecret } from "./installation-secret.js";
import type { KnownTemplate, KnownTemplates } from "./known-templates.js";
import type { StoreAccess } from "./store-address.js";
import type { FetchedIndex, StoreClient } from "./store-client.js";
import { orAborted, type StoreFailure, storeFailure, storeTooSlow } from "./store-failure.js";
import type { StoreEntry } from "./store-index.js";
import type { ServerSlots, StoreWaitLimits } from "./store-limits.js";
import type { TemplateLibrary } from "./template-library.js";

/** Dependencies of a catalogue. */
export interface CatalogueParts {
  configuration: TemplateStoreConfiguration;
  secret: InstallationSecret;
  client: StoreClient;
  archives: ArchiveFolder;
  library: TemplateLibrary;
  known: KnownTemplates;
  /** Slots by server, for loading and checking archives. */
  slots: ServerSlots;
  waitLimits: StoreWaitLimits;
  /** Aborts when the host stops. */
  lifetime: AbortSignal;
  log: Log;
}

/** The result of a store request. */
export interface StoreOutcome {
  templates: readonly KnownTemplate[];
  /** Number of listed templates that cannot be used. */
  omitted: number;
  failure: StoreFailure | undefined;
  /** Milliseconds since the epoch. */
  checked: number;
}

const parallel = 4;
const mostLeftOut = 1000;

export class StoreCatalogue {
  private readonly id: string;
  private index: FetchedIndex | undefined;
  private outcome: StoreOutcome | undefined;
  /** Monotonic time of the outcome. */
  private answered = 0;
  private running: Promise<StoreOutcome> | undefined;
  /** Starts when the running request ends; shared by all callers in the meantime. */
  private next: Promise<StoreOutcome> | undefined;
  /** Templates of the running request. */
  private ready: KnownTemplate[] = [];
  private told: string | undefined;
  /** Omitted archives that are already logged, with the reason. */
  private readonly leftOut = new Set<string>();

  constructor(
    private readonly access: StoreAccess,
    private readonly parts: CatalogueParts,
  ) {
    this.id = parts.secret.accessId(access);
  }

  /**
   * The templates of the store. Sends a new request with `update` or when the cache is stale. Waits at most for the
   * store timeout.
   */
  async ask(update: boolean): Promise<StoreOutcome> {
    const { configuration, waitLimits } = this.parts;
    const { outcome } = this;
    const isFresh = performance.now() - this.answered < configuration.freshness;
    if (!update && isFresh && outcome !== undefined && this.isKnown(outcome)) return outcome;
    const asked = update ? this.refreshAfter() : (this.running ?? this.refresh());
    return await waitLimits.wait(this.access.url.origin, asked, (waited) => this.soFar(waited));
  }

  /** Whether a request is running. */
  get busy(): boolean {
    return this.running !== undefined;
  }

  /** Resolves when no request is running. */
  async idle(): Promise<void> {
    while (this.running !== undefined) await this.running;
  }

  /** A request that starts now or later: a running one may have an older state of the store. */
  private refreshAfter(): Promise<StoreOutcome> {
    if (this.running === undefined) return this.refresh();
    this.next ??= this.running.then(() => {
      this.next = undefined;
      return this.refresh();
    });
    return this.next;
  }

  private refresh(): Promise<StoreOutcome> {
    this.ready = [];
    this.running = this.question().then((outcome) => {
      this.running = undefined;
      this.outcome = outcome;
      this.answered = performance.now();
      this.tell(outcome);
      return outcome;
    });
    return this.running;
  }

  /** Never rejects. */
  private async question(): Promise<StoreOutcome> {
    const { configuration, lifetime, waitLimits } = this.parts;
    const late = timeLimit(configuration.timeout);
    const outcome = await this.answer(late, AbortSignal.any([late, lifetime]));
    waitLimits.note(this.access.url.origin, late.aborted);
    return outcome;
  }

  private async answer(late: AbortSignal, signal: AbortSignal): Promise<StoreOutcome> {
    const { configuration, client } = this.parts;
    try {
      this.index = await client.index(this.access, this.index, signal);
      const { entries } = this.index;
      await mapConcurrent(entries, parallel, (entry) => this.take(entry, signal));
      this.remember(entries);
      if (late.aborted && this.ready.length < entries.length) return this.soFar(configuration.timeout);
      const omitted = entries.length - this.ready.length;
      return { templates: this.ready, omitted, failure: undefined, checked: Date.now() };
    } catch (error) {
      const failure = late.aborted ? storeTooSlow(configuration.timeout) : storeFailure(error);
      if (failure.refused) this.parts.known.update(this.id, [], new Set());
      return { templates: [], omitted: 0, failure, checked: Date.now() };
    }
  }

  /** Returned keys are valid at once, even before the store has answered completely. */
  private soFar(waited: number): StoreOutcome {
    const templates = [...this.ready];
    this.parts.known.learn(templates);
    return { templates, omitted: 0, failure: storeTooSlow(waited), checked: Date.now() };
  }

  /** Loads the template of an entry, or logs why it is omitted. */
  private async take(entry: StoreEntry, signal: AbortSignal): Promise<void> {
    const { archives, library } = this.parts;
    const { sha256 } = entry;
    try {
      signal.throwIfAborted();
      const isKept = archives.has(sha256);
      const kept = isKept ? await orAborted(library.definition(sha256), signal) : undefined;
      requireSame(kept ?? (await this.fetched(entry, signal)), entry);
      this.ready.push({ templateKey: this.keyOf(entry), access: this.id, archive: sha256 });
    } catch (error) {
      if (signal.aborted) return;
      this.leaveOut(entry, error);
    }
  }

  /** Limits concurrent downloads per server, over all tokens, so that the archives fit in memory. */
  private async fetched(entry: StoreEntry, signal: AbortSignal): Promise<TemplateFile | undefined> {
    const { archives, client, library, slots } = this.parts;
    return await slots.take(this.access.url.origin, signal, async () => {
      const archive = await client.archive(this.access, entry, signal);
      await archives.add(entry.sha256, archive);
      return await orAborted(library.definition(entry.sha256, archive), signal);
    });
  }

  private leaveOut({ key, sha256 }: StoreEntry, error: unknown): void {
    const isOfTemplate = error instanceof Rejection;
    const reason = isOfTemplate ? error.message : storeFailure(error).message;
    const said = `${key} ${sha256} ${reason}`;
    if (this.leftOut.has(said) || this.leftOut.size > mostLeftOut) return;
    this.leftOut.add(said);
    const store = shownStore(this.access);
    const details = { store, key, reason, ...(!isOfTemplate && { error }) };
    this.parts.log.warn("A template of a store is left out.", details);
  }

  /** Keys of templates that the store no longer lists become invalid. */
  private remember(entries: readonly StoreEntry[]): void {
    const listed = new Set(entries.map((entry) => this.keyOf(entry)));
    this.parts.known.update(this.id, this.ready, listed);
  }

  /** Keys displaced by the limit have to be requested again. */
  private isKnown({ templates }: StoreOutcome): boolean {
    return templates.every(({ templateKey, archive }) => this.parts.known.find(templateKey) === archive);
  }

  private keyOf({ key }: StoreEntry): string {
    return this.parts.secret.templateKey(this.access, key);
  }

  /** Logs only changes. */
  private tell({ templates, omitted, failure }: StoreOutcome): void {
    const text = failure?.message ?? `${templates.length} ${omitted}`;
    if (this.told === text) return;
    this.told = text;
    const store = shownStore(this.access);
    const { log } = this.parts;
    if (failure === undefined)
      log.info("A template store was read.", { store, templates: templates.length, omitted });
    else
      log.warn("A template store cannot be used.", { store, reason: failure.message, error: failure.cause });
  }
}

/** The address without confidential parts. */
export function shownStore({ url }: StoreAccess): string {
  return `${url.origin}${url.pathname}`;
}

function requireSame(definition: TemplateFile | undefined, { key, version }: StoreEntry): void {
  if (definition === undefined) throw new Rejection("its archive is gone");
  if (definition.key === key && definition.version === version) return;
  const found = `${shownValue(definition.key)} ${shownValue(definition.version)}`;
  throw new Rejection(`its archive holds ${found} and not what the index says`);
}
