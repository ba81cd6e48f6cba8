import type { Shown } from "./address.js";
import { element } from "./element.js";
import { describedFailure, type Failure, isAborted } from "./failure.js";
import type { TemplateEvent, TemplateState } from "./host-answers.js";
import type { HostClient } from "./host-client.js";
import { NoteList } from "./note-list.js";
import { OptionForm } from "./option-form.js";
import { PdfView } from "./pdf-view.js";
import { ProblemPanel } from "./problem-panel.js";
import { type FinishedRun, runReport } from "./report-run.js";
import { SessionLocales } from "./session-locales.js";
import { StatusLine } from "./status-line.js";
import { followTemplates } from "./template-feed.js";
import { Toolbar } from "./toolbar.js";
import { readZoom } from "./zoom.js";

export interface PreviewOptions {
  host: HostClient;
  /** The session whose project is reported. */
  session: { id: string; locale: string; project: string | undefined };
  /** What to show first. */
  shown: Shown & { template: string };
  /** Called with what is shown, whenever that changes. */
  remember(shown: Shown): void;
}

/** The live preview of templates as one element: put it anywhere, call `start`, and `close` when it goes. */
export class Preview {
  readonly element = element("div", { class: "preview" });
  private readonly toolbar: Toolbar;
  private readonly view: PdfView;
  private readonly form = new OptionForm(() => this.optionsChanged());
  private readonly problems = new ProblemPanel();
  private readonly notes = new NoteList();
  private readonly status = new StatusLine();
  private readonly locales: SessionLocales;
  private shown: Shown & { template: string };
  private states: readonly TemplateState[] = [];
  /** How often templates changed since the start. */
  private changes = 0;
  /** Of which template, session and version of its options the form is. */
  private formOf = "";
  private running: AbortController | undefined;
  /** Why the last report could not be made or shown. */
  private failure: Failure | undefined;
  private unfollow: (() => void) | undefined;

  constructor(private readonly options: PreviewOptions) {
    const { host, session, shown } = options;
    this.shown = shown;
    this.locales = new SessionLocales(host, session);
    this.view = new PdfView({
      pageChanged: () => this.toolbar.showPage(this.view.currentPage, this.view.pageCount),
      zoomChanged: () => this.toolbar.showZoom(readZoom(this.shown.zoom), this.view.factor),
      failed: (error) => this.showFailure(error),
    });
    this.toolbar = new Toolbar({
      templateChosen: (template) => this.change({ template, options: new Map() }),
      localeChosen: (locale) => this.change({ locale }),
      pageChosen: (page) => this.view.goTo(page),
      zoomChosen: (zoom) => {
        this.shown = { ...this.shown, zoom: zoom === "width" ? undefined : String(zoom) };
        this.view.setZoom(zoom);
        options.remember(this.shown);
      },
      optionsToggled: () => this.toggleOptions(),
    });
    this.build();
  }

  /** Shows the report and follows its template. */
  async start(): Promise<void> {
    const { host, session } = this.options;
    this.view.setZoom(readZoom(this.shown.zoom));
    this.toolbar.showLocale(this.shown.locale ?? session.locale, [session.locale]);
    this.unfollow = followTemplates(host, {
      changed: (event) => this.templateChanged(event),
      lost: () => this.status.lost(),
      resumed: () => void this.refreshAll(),
    });
    await this.refreshAll();
  }

  /** Ends everything that goes on. */
  close(): void {
    this.unfollow?.();
    this.running?.abort();
    this.element.remove();
  }

  /** What a key does, unless it is for a field. True when it did something. */
  press(key: string): boolean {
    return this.toolbar.press(key);
  }

  private build(): void {
    const { project } = this.options.session;
    const reset = element("button", { type: "button", class: "quiet-button" }, "Reset all");
    reset.addEventListener("click", () => this.form.reset());
    const side = element(
      "aside",
      { class: "side", "aria-label": "Options" },
      element("div", { class: "side-head" }, element("h1", {}, "Options"), reset),
      this.form.element,
    );
    const name = project === undefined ? undefined : element("span", { class: "project" }, project);
    this.element.append(
      this.toolbar.element,
      side,
      element("main", { class: "stage" }, this.view.element, this.problems.element),
      element("footer", { class: "status" }, this.status.element, this.notes.element, name),
    );
    this.toggleOptions(matchMedia("(min-width: 56rem)").matches);
  }

  private toggleOptions(isOpen = !this.element.hasAttribute("data-options")): void {
    this.element.toggleAttribute("data-options", isOpen);
    this.toolbar.showOptionsToggle(isOpen);
  }

  private change(change: Partial<Pick<Shown, "locale" | "options">> & { template?: string }): void {
    this.shown = { ...this.shown, ...change };
    this.options.remember(this.shown);
    void this.refresh();
    this.showProblems();
  }

  private optionsChanged(): void {
    this.shown = { ...this.shown, options: this.form.texts() };
    this.options.remember(this.shown);
    void this.refresh();
  }

  private templateChanged(event: TemplateEvent): void {
    const { key, aliases, folder, state, version, problems } = event;
    this.changes += 1;
    // A template may have got another key.
    const others = this.states.filter((each) => each.folder !== folder);
    const warnings = this.states.find((each) => each.folder === folder)?.warnings ?? [];
    const now = { key, aliases, folder, problems, warnings, ...(version === undefined ? {} : { version }) };
    this.states = state === "removed" ? others : [...others, now];
    const { template } = this.shown;
    const isShown = key === template || !this.states.some((each) => each.key === template);
    if (isShown) this.showProblems();
    if (state === "refused") return;
    const cause = state === "served" ? event : undefined;
    // The pages first: nobody waits for the lists.
    void (isShown ? this.refresh(cause) : Promise.resolve()).then(() => this.refreshLists());
  }

  /** Everything, after which it does not matter what was missed. */
  private async refreshAll(): Promise<void> {
    this.formOf = "";
    await Promise.all([this.refreshLists(), this.refresh()]);
  }

  private async refreshLists(): Promise<void> {
    const { host, session } = this.options;
    const { changes } = this;
    try {
      const [templates, states] = await Promise.all([host.templates(session.id), host.templateStates()]);
      // The answer may be from before a change that is shown already.
      if (changes !== this.changes) return await this.refreshLists();
      this.states = states;
      this.toolbar.showTemplates(templates, this.shown.template);
      this.showProblems();
    } catch (error) {
      this.showFailure(error);
    }
  }

  /** The report as it is to be seen now; whatever was under way is given up. */
  private async refresh(cause?: TemplateEvent): Promise<void> {
    this.running?.abort();
    const run = new AbortController();
    this.running = run;
    this.status.busy();
    this.element.setAttribute("aria-busy", "true");
    try {
      const finished = await this.run(run.signal, cause !== undefined);
      this.finished(finished, cause);
    } catch (error) {
      if (run.signal.aborted || isAborted(error)) return;
      this.showFailure(error);
    } finally {
      if (this.running === run) this.element.removeAttribute("aria-busy");
    }
  }

  private async run(signal: AbortSignal, isNewVersion: boolean): Promise<FinishedRun> {
    const { host, session } = this.options;
    const { template, locale = session.locale } = this.shown;
    const sessionId = await this.locales.inLocale(locale);
    signal.throwIfAborted();
    const place = `${template} ${sessionId}`;
    const hasForm = this.formOf.startsWith(`${place} `);
    const loading = hasForm && !isNewVersion ? undefined : this.loadForm(template, sessionId, signal);
    if (!hasForm) await loading;
    const asked = this.form.values();
    const running = runReport(host, this.view, { template, sessionId, options: asked }, signal);
    const [ran, loaded] = await Promise.allSettled([running, loading]);
    if (loaded.status === "rejected") throw loaded.reason;
    // The new version has other options, and may have refused those of the one before.
    if (JSON.stringify(this.form.values()) !== JSON.stringify(asked)) return this.run(signal, false);
    if (ran.status === "rejected") throw ran.reason;
    return ran.value;
  }

  /** The form of the options, as they are now. */
  private async loadForm(template: string, sessionId: string, signal: AbortSignal): Promise<void> {
    const { host } = this.options;
    const options = await host.templateOptions(template, sessionId, signal);
    const formOf = `${template} ${sessionId} ${JSON.stringify(options)}`;
    if (formOf === this.formOf) return;
    // A report that cannot be made for now still has options.
    const usual = await host.usualOptions(template, sessionId, signal).catch((error: unknown) => {
      if (isAborted(error)) throw error;
      return {};
    });
    signal.throwIfAborted();
    this.form.show(options, usual, this.shown.options);
    this.formOf = formOf;
    this.shown = { ...this.shown, options: this.form.texts() };
    this.options.remember(this.shown);
  }

  private finished({ report, address, times }: FinishedRun, cause: TemplateEvent | undefined): void {
    this.toolbar.showFile(address, report.name);
    this.toolbar.showPage(this.view.currentPage, this.view.pageCount);
    this.notes.showErrors(report.errors ?? []);
    this.failure = undefined;
    this.status.done(this.view.pageCount, times, cause);
    this.showProblems();
  }

  /** What keeps the template from being served goes before what made the last report fail. */
  private showProblems(): void {
    const state = this.states.find(({ key }) => key === this.shown.template);
    this.notes.showWarnings(state?.warnings ?? []);
    const pages = this.view.pageCount > 0 ? " The pages show the version before." : "";
    const refused =
      state === undefined || state.problems.length === 0
        ? undefined
        : { title: `The saved template is unusable.${pages}`, problems: state.problems };
    const shown = refused ?? this.failure;
    this.element.toggleAttribute("data-stale", shown !== undefined);
    this.problems.show(shown?.title, shown?.problems);
    if (shown !== undefined) this.status.broken();
  }

  private showFailure(error: unknown): void {
    this.failure = describedFailure(error, this.shown.template);
    this.showProblems();
  }
}
