/** Templates of stores in memory, read from their archives when they are needed. */
import { Rejection } from "../../rejection.js";
import { type LoadedTemplate, located } from "../loaded-template.js";
import { RenderFailure } from "../render-errors.js";
import type { RenderPool } from "../render-pool.js";
import { describeProblem, describeProblems } from "../template-problem.js";
import type { ArchiveFolder } from "./archive-folder.js";
import { bytesOf, readStoreTemplate, versionOf } from "./store-template.js";

/** How long the check of a template may wait for a process, in milliseconds. */
const patience = 60_000;
const mostJudged = 10_000;

export class TemplateLibrary {
  /** By hash of the archive, in order of their last use. */
  private readonly loaded = new Map<string, LoadedTemplate>();
  private readonly loading = new Map<string, Promise<LoadedTemplate | undefined>>();
  /** What was found out about archives: a `Rejection`, or undefined for those that are all right. */
  private readonly judged = new Map<string, Rejection | undefined>();
  private reading: Promise<unknown> = Promise.resolve();
  private bytes = 0;

  constructor(
    private readonly archives: ArchiveFolder,
    private readonly pool: RenderPool,
    private readonly limits: { memoryBytes: number; scripts: boolean },
  ) {}

  /**
   * The template in an archive, in hand or kept; undefined when it is there no more. Rejects with a `Rejection` for one that
   * cannot be used, and with a `RequestError` when there is no process to check it.
   */
  async load(sha256: string, archive?: Buffer): Promise<LoadedTemplate | undefined> {
    const known = this.loaded.get(sha256);
    if (known !== undefined) {
      this.loaded.delete(sha256);
      this.loaded.set(sha256, known);
      return known;
    }
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
    const rejection = this.judged.get(sha256);
    if (rejection !== undefined) throw rejection;
    try {
      const template = await this.inTurn(() => this.read(sha256, archive));
      if (template === undefined) return undefined;
      if (!this.judged.has(sha256)) await this.check(template);
      this.note(sha256, undefined);
      this.keep(sha256, template);
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

  /** What is wrong with the EJS files, found where they will run. */
  private async check(template: LoadedTemplate): Promise<void> {
    const limits = { signal: new AbortController().signal, deadline: Date.now() + patience };
    const problems = await this.pool.check(template, limits);
    if (problems.length > 0)
      throw new Rejection(describeProblems(problems.map((problem) => located(template, problem))));
  }

  /** One archive at a time is unpacked, because each takes much memory for a moment. */
  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.reading.then(work);
    this.reading = turn.catch(() => undefined);
    return await turn;
  }

  private note(sha256: string, rejection: Rejection | undefined): void {
    if (this.judged.size >= mostJudged) this.judged.clear();
    this.judged.set(sha256, rejection);
  }

  private keep(sha256: string, template: LoadedTemplate): void {
    this.loaded.set(sha256, template);
    this.bytes += bytesOf(template);
    for (const [other, each] of this.loaded) {
      if (this.bytes <= this.limits.memoryBytes || this.loaded.size === 1) return;
      this.loaded.delete(other);
      this.bytes -= bytesOf(each);
      this.pool.forget(versionOf(other));
    }
  }
}
