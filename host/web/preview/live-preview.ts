import { followTemplates } from "../client/feed.js";
import type { HostClient } from "../client/host-client.js";
import { Observed } from "../client/observed.js";
import type { TemplateEvent, TemplateState } from "../client/operations.js";
import { isAborted } from "../client/refusal.js";
import { SessionLocales } from "../client/sessions.js";
import type { Shown } from "./address.js";
import { type ChosenValues, chosenValues, type OptionValue, textsOf } from "./option-values.js";
import { PdfView } from "./pdf-view.js";
import {
  describedFailure,
  type PreviewedSession,
  type PreviewState,
  type ShownReport,
  servedTime,
} from "./preview-state.js";
import { Reporter } from "./reporter.js";
import { readZoom, type Zoom } from "./zoom.js";

/** Differences from the preview for authors of templates. */
export interface PreviewTerms {
  /** Whether it follows changes and stages of templates, which requires the role `read`. */
  followsTemplates: boolean;
  reporter: Reporter;
  /** Closed with the preview. */
  locales: SessionLocales;
}

/** The live preview of a template: keeps its report current. Call `start`, and `close` at the end. */
export class LivePreview {
  readonly state: Observed<PreviewState>;
  readonly view: PdfView;
  private readonly closing = new AbortController();
  /** How often templates changed since the start. */
  private changes = 0;
  private running: AbortController | undefined;

  /** Calls `remember` when the displayed state changes. */
  constructor(
    private readonly host: HostClient,
    readonly session: PreviewedSession,
    shown: Shown & { template: string },
    private readonly remember: (shown: Shown) => void,
    private readonly terms: PreviewTerms = {
      followsTemplates: true,
      reporter: new Reporter(host),
      locales: new SessionLocales(host, session),
    },
  ) {
    this.state = new Observed<PreviewState>({
      shown,
      templates: [],
      templateStates: [],
      form: undefined,
      report: undefined,
      failure: undefined,
      isBusy: true,
      pages: { current: 0, count: 0, factor: 1 },
    });
    const changed = (): void => {
      const { currentPage: current, pageCount: count, factor } = this.view;
      this.set({ pages: { current, count, factor } });
    };
    this.view = new PdfView({ changed, failed: (error) => this.showFailure(error) });
    this.view.setZoom(readZoom(shown.zoom));
  }

  /** Shows the report and follows its template. */
  async start(): Promise<void> {
    if (this.terms.followsTemplates) this.follow();
    await this.refreshAll();
  }

  /** Makes the report again. */
  again(): void {
    void this.refreshAll();
  }

  /** Updates the list of templates. */
  async reloadTemplates(): Promise<void> {
    try {
      this.set({ templates: await this.terms.reporter.templates(this.session.sessionId) });
    } catch {
      // The list stays; the report is unaffected.
    }
  }

  private follow(): void {
    let isFirst = true;
    void followTemplates(this.host, this.closing.signal, {
      changed: (event) => this.templateChanged(event),
      begun: () => {
        if (!isFirst) void this.refreshAll();
        isFirst = false;
      },
    });
  }

  /** Cancels all running work. */
  close(): void {
    this.closing.abort();
    this.running?.abort();
    this.terms.locales.close();
    this.view.close();
  }

  /** The data of the template for the current report. */
  async data(signal: AbortSignal): Promise<Record<string, unknown>> {
    const { template, locale = this.session.locale } = this.state.value.shown;
    const sessionId = await this.terms.locales.inLocale(locale);
    signal.throwIfAborted();
    return this.terms.reporter.data(template, { sessionId, templateOptions: this.values() }, signal);
  }

  chooseTemplate(template: string): void {
    this.change({ template, options: new Map() });
  }

  chooseLocale(locale: string): void {
    this.change({ locale });
  }

  chooseZoom(zoom: Zoom): void {
    const { shown } = this.state.value;
    this.set({ shown: { ...shown, zoom: zoom === "width" ? undefined : String(zoom) } });
    this.view.setZoom(zoom);
    this.remember(this.state.value.shown);
  }

  /** Sets the value of an option; undefined means the default. */
  chooseOption(key: string, value: OptionValue | undefined): void {
    const chosen = new Map(this.state.value.form?.chosen);
    if (value === undefined) chosen.delete(key);
    else chosen.set(key, value);
    this.chooseOptions(chosen);
  }

  /** Sets the values of all options; others get their defaults. */
  chooseOptions(chosen: ChosenValues): void {
    const { form } = this.state.value;
    if (form === undefined) return;
    this.set({ form: { ...form, chosen } });
    this.change({ options: textsOf(chosen) });
  }

  private set(change: Partial<PreviewState>): void {
    this.state.set({ ...this.state.value, ...change });
  }

  private change(change: Partial<PreviewState["shown"]>): void {
    this.set({ shown: { ...this.state.value.shown, ...change } });
    this.remember(this.state.value.shown);
    void this.refresh();
  }

  private templateChanged(event: TemplateEvent): void {
    const { key, aliases, folder, plugin, state, version, problems, notes } = event;
    // The request for the report shows this failure.
    if (state === "failed") return;
    this.changes += 1;
    const { templateStates, shown } = this.state.value;
    // The key of a template may have changed.
    const isSame = (each: TemplateState): boolean => each.folder === folder && each.plugin === plugin;
    const others = templateStates.filter((each) => !isSame(each));
    const warnings = templateStates.find(isSame)?.warnings ?? [];
    const now = { key, aliases, folder, plugin, problems, notes, warnings, version, error: undefined };
    this.set({ templateStates: state === "removed" ? others : [...others, now] });
    if (state === "refused") return;
    const isShown =
      key === shown.template || !this.state.value.templateStates.some((each) => each.key === shown.template);
    const cause = state === "served" ? event : undefined;
    // The pages first: the lists are less urgent.
    void (isShown ? this.refresh(cause) : Promise.resolve()).then(() => this.refreshLists());
  }

  /** Reloads everything, so missed changes do not matter. */
  private async refreshAll(): Promise<void> {
    const { form } = this.state.value;
    if (form !== undefined) this.set({ form: { ...form, of: "" } });
    await Promise.all([this.refreshLists(), this.refresh()]);
  }

  private async refreshLists(): Promise<void> {
    const { changes } = this;
    try {
      const [templates, { templates: templateStates }] = await Promise.all([
        this.terms.reporter.templates(this.session.sessionId),
        this.terms.followsTemplates ? this.host.call("GET /api/templates", {}) : { templates: [] },
      ]);
      // The response may be older than a change that is already displayed.
      if (changes !== this.changes) return await this.refreshLists();
      this.set({ templates, templateStates });
    } catch (error) {
      this.showFailure(error);
    }
  }

  /** Makes the current report; cancels the one before. */
  private async refresh(cause?: TemplateEvent): Promise<void> {
    this.running?.abort();
    const run = new AbortController();
    this.running = run;
    this.set({ isBusy: true });
    try {
      const report = await this.run(run.signal, cause !== undefined);
      const shown = { ...report, served: servedTime(cause) };
      performance.mark("slipway-drawn", {
        detail: {
          ...report.times,
          ...(shown.served !== undefined && { served: shown.served }),
          version: cause?.version,
        },
      });
      this.set({ report: shown, failure: undefined });
    } catch (error) {
      if (run.signal.aborted || isAborted(error)) return;
      this.showFailure(error);
    } finally {
      if (this.running === run) this.set({ isBusy: false });
    }
  }

  private async run(signal: AbortSignal, isNewVersion: boolean): Promise<Omit<ShownReport, "served">> {
    const { template, locale = this.session.locale } = this.state.value.shown;
    const sessionId = await this.terms.locales.inLocale(locale);
    signal.throwIfAborted();
    const hasForm = this.state.value.form?.of.startsWith(`${template} ${sessionId} `) === true;
    const loading = hasForm && !isNewVersion ? undefined : this.loadForm(template, sessionId, signal);
    if (!hasForm) await loading;
    const asked = this.values();
    const making = this.makeReport(template, { sessionId, templateOptions: asked }, signal);
    const [made, loaded] = await Promise.allSettled([making, loading]);
    if (loaded.status === "rejected") throw loaded.reason;
    // The new version can have other options, and may have refused the earlier ones.
    if (JSON.stringify(this.values()) !== JSON.stringify(asked)) return this.run(signal, false);
    if (made.status === "rejected") throw made.reason;
    return made.value;
  }

  private values(): Record<string, OptionValue> {
    return Object.fromEntries(this.state.value.form?.chosen ?? []);
  }

  /** Generates the report like any client, fetches and shows it. After `signal` aborts, it shows nothing. */
  private async makeReport(
    template: string,
    body: { sessionId: string; templateOptions: Record<string, OptionValue> },
    signal: AbortSignal,
  ): Promise<Omit<ShownReport, "served">> {
    const begun = performance.now();
    const { embed } = this.state.value.shown;
    const {
      name,
      url,
      errors = [],
    } = await (embed === undefined
      ? this.terms.reporter.generate(template, body, signal)
      : this.terms.reporter.export(template, embed, body, signal));
    const generated = performance.now();
    const address = this.host.fileAddress(url).href;
    const data = await (await this.host.request(address, { signal })).arrayBuffer();
    const fetched = performance.now();
    await this.view.show(data, signal);
    const times = {
      generated: generated - begun,
      fetched: fetched - generated,
      drawn: performance.now() - fetched,
    };
    return { name, url, address, errors, times };
  }

  /** The current form of the options. */
  private async loadForm(template: string, sessionId: string, signal: AbortSignal): Promise<void> {
    const options = await this.terms.reporter.options(template, sessionId, signal);
    const of = `${template} ${sessionId} ${JSON.stringify(options)}`;
    if (of === this.state.value.form?.of) return;
    // A failed report still has options.
    const usual = await this.terms.reporter
      .usualOptions(template, sessionId, signal)
      .catch((error: unknown) => {
        if (isAborted(error)) throw error;
        return {};
      });
    signal.throwIfAborted();
    const { shown } = this.state.value;
    const chosen = chosenValues(options, usual, shown.options);
    this.set({ form: { of, options, usual, chosen }, shown: { ...shown, options: textsOf(chosen) } });
    this.remember(this.state.value.shown);
  }

  private showFailure(error: unknown): void {
    this.set({ failure: describedFailure(error, this.state.value.shown.template) });
  }
}
