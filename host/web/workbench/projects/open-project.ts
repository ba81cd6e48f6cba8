import type { ReportData } from "@slipway/sdk";
import { isJsonObject } from "../../../system/json.js";
import { answerLater, type Progress } from "../../client/answer-later.js";
import { tabStorage } from "../../client/browser-storage.js";
import type { HostClient } from "../../client/host-client.js";
import { Observed } from "../../client/observed.js";
import type { AnswerOf } from "../../client/operations.js";
import { RefusedRequest } from "../../client/refusal.js";
import { SessionLocales } from "../../client/sessions.js";
import { LivePreview } from "../../preview/live-preview.js";
import { Reporter } from "../../preview/reporter.js";
import { ExportRun } from "./export-run.js";
import { Pictures } from "./pictures.js";
import { forgetProject, projectEntry } from "./project-storage.js";

export type ReadWarning = AnswerOf<"POST /api/sessions">["warnings"][number];

/** The data of an open project that this browser tab stores. */
export interface ProjectFacts {
  sessionId: string;
  locale: string;
  name: string;
  /** Parts of the file that the host could not read. */
  warnings: readonly ReadWarning[];
  /** Whether this tab opened the session, and therefore closes it. */
  isOwn: boolean;
}

/** The known lines and totals of a project. */
export interface ProjectContent {
  data?: ReportData;
  failure?: unknown;
  progress?: Progress;
}

/** A project in the workbench with its report and exports. These keep running while the page shows another project. */
export class OpenProject {
  readonly content = new Observed<ProjectContent>({});
  /** Progress of the running report. */
  readonly reportProgress = new Observed<Progress>({ state: "working" });
  readonly pictures: Pictures;
  readonly runs = { order: new ExportRun(), workbook: new ExportRun() };
  private readonly closing = new AbortController();
  private readonly locales: SessionLocales;
  private made: Promise<LivePreview> | undefined;
  private live: LivePreview | undefined;

  constructor(
    private readonly host: HostClient,
    readonly facts: ProjectFacts,
  ) {
    this.pictures = new Pictures(host, facts.sessionId);
    this.locales = new SessionLocales(host, facts);
  }

  /** Loads lines and totals. The reporter calculates them, the same for every template. */
  async load(): Promise<void> {
    const { sessionId } = this.facts;
    this.content.set({ progress: { state: "working" } });
    try {
      const reporter = this.reporter((progress) => this.content.set({ ...this.content.value, progress }));
      const [template] = await reporter.templates(sessionId);
      if (template === undefined) throw new NoTemplates();
      const data = await reporter.projectData(template.key, { sessionId }, this.closing.signal);
      this.content.set({ data });
    } catch (failure) {
      if (!this.closing.signal.aborted) this.content.set({ failure });
    }
  }

  /** The report of the project. Rejects with `NoTemplates` if the host has none; the next call checks again. */
  report(): Promise<LivePreview> {
    this.made ??= this.makeReport().catch((error: unknown) => {
      this.made = undefined;
      throw error;
    });
    return this.made;
  }

  /** Whether the host has a template for the project now. */
  async hasTemplates(): Promise<boolean> {
    const templates = await new Reporter(this.host).templates(this.facts.sessionId);
    return templates.length > 0;
  }

  /** Cancels running work, and closes the sessions that this tab opened for the project. */
  close(): void {
    this.closing.abort();
    this.live?.close();
    this.locales.close();
    this.pictures.close();
    for (const run of Object.values(this.runs)) run.stop();
    const { sessionId, isOwn } = this.facts;
    forgetProject(sessionId);
    // The session also expires by itself.
    if (isOwn)
      this.host.call("DELETE /api/sessions/:sessionId", { params: { sessionId } }).catch(() => undefined);
  }

  private async makeReport(): Promise<LivePreview> {
    const { sessionId, locale, name } = this.facts;
    const reporter = this.reporter((progress) => this.reportProgress.set(progress));
    const templateEntry = projectEntry(sessionId, "template");
    const templates = await reporter.templates(sessionId);
    const chosen = tabStorage.read(templateEntry);
    const template = templates.find(({ key }) => key === chosen) ?? templates[0];
    this.closing.signal.throwIfAborted();
    if (template === undefined) throw new NoTemplates();
    const session = { sessionId, locale, project: { name } };
    const shown = {
      session: sessionId,
      template: template.key,
      locale: undefined,
      zoom: undefined,
      embed: undefined,
      options: new Map<string, string>(),
    };
    this.live = new LivePreview(
      this.host,
      session,
      shown,
      ({ template: key = "" }) => tabStorage.keep(templateEntry, key),
      { followsTemplates: false, reporter, locales: this.locales },
    );
    void this.live.start();
    return this.live;
  }

  private reporter(progressed: (progress: Progress) => void): Reporter {
    return new Reporter(this.host, (path, body, signal) => {
      progressed({ state: "working" });
      return answerLater(this.host, path, body, { signal, progressed });
    });
  }
}

/** The host has no templates: it can neither report nor calculate the project. */
export class NoTemplates extends Error {
  constructor() {
    super("The host has no templates.");
  }
}

/** Whether a request failed because the session has ended. */
export function isEnded(failure: unknown): boolean {
  return failure instanceof RefusedRequest && failure.error.id === "request-session-not-found";
}

/** Whether a request failed because the host has no such plugin. */
export function isMissing(failure: unknown): boolean {
  return (
    failure instanceof RefusedRequest &&
    failure.error.id === "request-not-found" &&
    isJsonObject(failure.error.additionalInformation) &&
    "plugins" in failure.error.additionalInformation
  );
}
