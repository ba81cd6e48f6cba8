import type { Registry } from "prom-client";
import { BrowserStatus, type HostStatus } from "../host-status.js";
import type { PdfMeasures, TemplateMeasures } from "../measures.js";
import { BoundedValues } from "./bounded-values.js";
import type { CollectedMetrics } from "./collected-metrics.js";
import { countedMetrics } from "./counted-metrics.js";

/** Limit of templates of this host with separate numbers. */
const mostTemplates = 100;
/** Limit of error ids of printing and rendering; the host has fewer. */
const mostOutcomes = 30;
/** The label value of all templates of template stores. */
const ofStores = "store";

/** States of templates and template stores. */
export interface TemplateNumbers {
  states(): readonly { version?: string | undefined; error?: string | undefined }[];
  storeStates(): readonly { state: string }[];
}

/** Counts the steps of reports: rendering, printing, finishing. */
export class ReportMetrics {
  private readonly templates = new BoundedValues(mostTemplates);
  private readonly outcomes = new BoundedValues(mostOutcomes);

  /** Receives events of the printing service. */
  readonly pdf: PdfMeasures;
  /** Receives events of rendering. */
  readonly rendering: TemplateMeasures;

  constructor(registry: Registry) {
    this.pdf = this.printing(registry);
    this.rendering = this.renders(registry);
  }

  private printing(registry: Registry): PdfMeasures {
    const { counter, histogram } = countedMetrics(registry);
    const documents = counter(
      "slipway_pdf_documents_total",
      "Documents that were to be printed; outcome is done or the id of the error.",
      ["outcome"],
    );
    const pages = counter(
      "slipway_pdf_pages_total",
      "Pages of the documents that were made, with their attachments.",
    );
    const durations = histogram(
      "slipway_pdf_print_duration_seconds",
      "Time that documents took, from waiting for a page of the browser to the last repair.",
    );
    const passes = counter(
      "slipway_pdf_finisher_runs_total",
      "Printed documents that were repaired or joined with attachments; outcome is done or failed.",
      ["outcome"],
    );
    const passDurations = histogram(
      "slipway_pdf_finisher_duration_seconds",
      "Time that repairing and joining took.",
    );
    return {
      printed: (document) => {
        documents.inc({ outcome: this.outcomes.of("pdf", document.outcome) });
        pages.inc(document.pages);
        durations.observe(document.seconds);
      },
      finished: ({ outcome, seconds }) => {
        passes.inc({ outcome });
        passDurations.observe(seconds);
      },
    };
  }

  private renders(registry: Registry): TemplateMeasures {
    const { counter, histogram } = countedMetrics(registry);
    const renders = counter(
      "slipway_template_renders_total",
      "Reports that templates were to make; outcome is done or the id of the error. Those of template stores count together.",
      ["template", "outcome"],
    );
    const durations = histogram(
      "slipway_template_render_duration_seconds",
      "Time from the order of a report's HTML to its end.",
      ["template"],
    );
    return {
      rendered: (work) => {
        const template = work.template === undefined ? ofStores : this.templates.of("", work.template);
        renders.inc({ template, outcome: this.outcomes.of("template", work.outcome) });
        durations.observe({ template }, work.seconds);
      },
    };
  }
}

/** Shows the state and load of the browser. */
export function showBrowser(collected: CollectedMetrics, status: HostStatus): void {
  collected.gauge(
    "slipway_browser_state",
    "1 for the state in which the browser is, 0 for the others.",
    () => {
      const now = status.browser().state;
      return BrowserStatus.properties.state.enum.map((state) => ({
        labels: { state },
        value: state === now ? 1 : 0,
      }));
    },
    ["state"],
  );
  collected.counter(
    "slipway_browser_restarts_total",
    "How often the browser ended unexpectedly and was started again.",
    () => status.browser().restarts,
  );
  collected.gauge(
    "slipway_browser_pages",
    "Pages of the browser that are open.",
    () => status.browser().pages,
  );
  collected.gauge("slipway_pdf_printing", "Documents that are being printed.", () => status.browser().busy);
  collected.gauge(
    "slipway_pdf_waiting",
    "Documents that wait for a page of the browser.",
    () => status.browser().waiting,
  );
}

/** Shows the state of templates and template stores. */
export function showTemplates(collected: CollectedMetrics, templates: TemplateNumbers): void {
  collected.gauge(
    "slipway_templates",
    "Template folders with a version that serves.",
    () => templates.states().filter(({ version }) => version !== undefined).length,
  );
  collected.gauge(
    "slipway_templates_broken",
    "Template folders whose newest content cannot serve.",
    () => templates.states().filter(({ error }) => error !== undefined).length,
  );
  collected.gauge(
    "slipway_template_stores_failed",
    "Template stores that could not be asked the last time.",
    () => templates.storeStates().filter(({ state }) => state === "failed").length,
  );
}
