import { durationBuckets } from "@slipway/sdk";
import { Counter, Histogram, type Registry } from "prom-client";
import { BrowserStatus, type HostStatus } from "../host-status.js";
import type { PdfMeasures, TemplateMeasures } from "../measures.js";
import type { AskedMetrics } from "./asked-metrics.js";
import { BoundedValues } from "./bounded-values.js";

/** Templates of this host that have numbers of their own. */
const mostTemplates = 100;
/** Ids of errors of printing and rendering are those of the host; there are fewer. */
const mostOutcomes = 30;
/** Stands for all templates of template stores. */
const ofStores = "store";
const buckets = [...durationBuckets];

/** Who knows where templates and their stores stand. */
export interface TemplateNumbers {
  states(): readonly { version?: string | undefined; error?: string | undefined }[];
  storeStates(): readonly { state: string }[];
}

/** Counts the steps of reports: rendering, printing, finishing. */
export class ReportMetrics {
  private readonly templates = new BoundedValues(mostTemplates);
  private readonly outcomes = new BoundedValues(mostOutcomes);

  /** Hears of what the printing service does. */
  readonly pdf: PdfMeasures;
  /** Hears of what is rendered. */
  readonly rendering: TemplateMeasures;

  constructor(registry: Registry) {
    this.pdf = this.printing(registry);
    this.rendering = this.renders(registry);
  }

  private printing(registry: Registry): PdfMeasures {
    const registers = [registry];
    const documents = new Counter({
      name: "slipway_pdf_documents_total",
      help: "Documents that were to be printed; outcome is done or the id of the error.",
      labelNames: ["outcome"],
      registers,
    });
    const pages = new Counter({
      name: "slipway_pdf_pages_total",
      help: "Pages of the documents that were made, with their attachments.",
      registers,
    });
    const durations = new Histogram({
      name: "slipway_pdf_print_duration_seconds",
      help: "Time that documents took, from waiting for a page of the browser to the last repair.",
      buckets,
      registers,
    });
    const passes = new Counter({
      name: "slipway_pdf_finisher_runs_total",
      help: "Printed documents that were repaired or joined with attachments; outcome is done or failed.",
      labelNames: ["outcome"],
      registers,
    });
    const passDurations = new Histogram({
      name: "slipway_pdf_finisher_duration_seconds",
      help: "Time that repairing and joining took.",
      buckets,
      registers,
    });
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
    const registers = [registry];
    const renders = new Counter({
      name: "slipway_template_renders_total",
      help: "Reports that templates were to make; outcome is done or the id of the error. Those of template stores count together.",
      labelNames: ["template", "outcome"],
      registers,
    });
    const durations = new Histogram({
      name: "slipway_template_render_duration_seconds",
      help: "Time from the order of a report's HTML to its end.",
      labelNames: ["template"],
      buckets,
      registers,
    });
    return {
      rendered: (work) => {
        const template = work.template === undefined ? ofStores : this.templates.of("", work.template);
        renders.inc({ template, outcome: this.outcomes.of("template", work.outcome) });
        durations.observe({ template }, work.seconds);
      },
    };
  }
}

/** Shows how the browser does. */
export function showBrowser(asked: AskedMetrics, status: HostStatus): void {
  asked.gauge({
    name: "slipway_browser_state",
    help: "1 for the state in which the browser is, 0 for the others.",
    labels: ["state"],
    ask: () => {
      const now = status.browser().state;
      return BrowserStatus.properties.state.enum.map((state) => ({
        labels: { state },
        value: state === now ? 1 : 0,
      }));
    },
  });
  asked.counter({
    name: "slipway_browser_restarts_total",
    help: "How often the browser ended unexpectedly and was started again.",
    ask: () => status.browser().restarts,
  });
  asked.gauge({
    name: "slipway_browser_pages",
    help: "Pages of the browser that are open.",
    ask: () => status.browser().pages,
  });
  asked.gauge({
    name: "slipway_pdf_printing",
    help: "Documents that are being printed.",
    ask: () => status.browser().busy,
  });
  asked.gauge({
    name: "slipway_pdf_waiting",
    help: "Documents that wait for a page of the browser.",
    ask: () => status.browser().waiting,
  });
}

/** Shows how templates and template stores do. */
export function showTemplates(asked: AskedMetrics, templates: TemplateNumbers): void {
  asked.gauge({
    name: "slipway_templates",
    help: "Template folders with a version that serves.",
    ask: () => templates.states().filter(({ version }) => version !== undefined).length,
  });
  asked.gauge({
    name: "slipway_templates_broken",
    help: "Template folders whose newest content cannot serve.",
    ask: () => templates.states().filter(({ error }) => error !== undefined).length,
  });
  asked.gauge({
    name: "slipway_template_stores_failed",
    help: "Template stores that could not be asked the last time.",
    ask: () => templates.storeStates().filter(({ state }) => state === "failed").length,
  });
}
