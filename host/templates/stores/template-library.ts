/** Store templates in memory, loaded from their archives on demand. */

import type { TemplateFile } from "@slipway/sdk";
import { LRUCache } from "lru-cache";
import { Rejection } from "../../system/errors.js";
import type { LoadedTemplate } from "../loaded-template.js";
import { RenderFailure } from "../render-errors.js";
import type { RenderPool } from "../render-pool.js";
import { describeProblem } from "../template-problem.js";
import type { ArchiveFolder } from "./archive-folder.js";
import { bytesOf, readStoreTemplate, rejectionOf, versionOf } from "./store-template.js";

/** Limit for cached definitions. */
const mostJudgedBytes = 64 * 1024 * 1024;
const bytesAboutEach = 500;

export class TemplateLibrary {
  /** By hash of the archive. */
  private readonly loaded: LRUCache<string, LoadedTemplate>;
  private readonly loading = new Map<string, Promise<LoadedTemplate | undefined>>();
  /** The result of the check of an archive: its definition, or the reason why it is unusable. */
  private readonly judged = new LRUCache<string, TemplateFile | Rejection>({ maxSize: mostJudgedBytes });
  private reading: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly archives: ArchiveFolder,
    private readonly pool: RenderPool,
    private readonly limits: { memoryBytes: number; scripts: boolean },
  ) {
    this.loaded = new LRUCache({
      maxSize: limits.memoryBytes,
      dispose: (_, sha256) => pool.forget(versionOf(sha256)),
    });
  }

  /** The definition in an archive, if it was checked before. */
  known(sha256: string): TemplateFile | undefined {
    const judged = this.judged.get(sha256);
    return judged instanceof Rejection ? undefined : judged;
  }

  /** The definition in an archive; loads the template if needed, as `load`. */
  async definition(sha256: string, archive?: Buffer): Promise<TemplateFile | undefined> {
    return this.known(sha256) ?? (await this.load(sha256, archive))?.definition;
  }

  /**
   * The template in an archive, from `archive` or the archive folder; undefined when missing. Rejects with a
   * `Rejection` for an unusable template, and with a `RequestError` when no process can check it.
   */
  async load(sha256: string, archive?: Buffer): Promise<LoadedTemplate | undefined> {
    const known = this.loaded.get(sha256);
    if (known !== undefined) return known;
    const loading = this.loading.get(sha256) ?? this.begin(sha256, archive);
    this.loading.set(sha256, loading);
    return await loading;
  }

  private async begin(sha256: string, archive?: Buffer): Promise<LoadedTemplate | undefined> {
    try {
      return await this.judge(sha256, archive);
    } finally {
      this.loading.delete(sha256);
    }
  }

  private async judge(sha256: string, archive?: Buffer): Promise<LoadedTemplate | undefined> {
    const judged = this.judged.get(sha256);
    if (judged instanceof Rejection) throw judged;
    try {
      const template = await this.inTurn(() => this.read(sha256, archive));
      if (template === undefined) return undefined;
      if (judged === undefined) await this.check(template);
      this.note(sha256, template.definition);
      // A template larger than the cache stays until the next one is loaded.
      const size = Math.min(bytesOf(template), this.limits.memoryBytes);
      this.loaded.set(sha256, template, { size });
      return template;
    } catch (error) {
      if (error instanceof Rejection) this.note(sha256, error);
      throw error instanceof RenderFailure ? new Rejection(describeProblem(error.problem)) : error;
    }
  }

  private async read(sha256: string, inHand?: Buffer): Promise<LoadedTemplate | undefined> {
    const archive = inHand ?? (await this.archives.read(sha256));
    return archive && (await readStoreTemplate(sha256, archive, this.limits));
  }

  /** Finds problems of the EJS files in a rendering process. */
  private async check(template: LoadedTemplate): Promise<void> {
    const { problems } = await this.pool.check(template);
    if (problems.length > 0) throw rejectionOf(problems);
  }

  /** Unpacks one archive at a time, because each temporarily needs much memory. */
  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.reading.then(work);
    this.reading = turn.catch(() => undefined);
    return await turn;
  }

  private note(sha256: string, judged: TemplateFile | Rejection): void {
    const text = judged instanceof Rejection ? judged.message : JSON.stringify(judged);
    this.judged.set(sha256, judged, { size: bytesAboutEach + text.length });
  }
}
