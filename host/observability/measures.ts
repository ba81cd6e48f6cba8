/** Events that the parts of the host report to the metrics. */
import type { MetricsReport } from "@slipway/sdk/runtime";
import type { ServiceMeasures } from "@slipway/sdk/runtime/host";

/** The outcome of a document or of one of its steps. */
export interface MeasuredWork {
  /** "done", the id of an error, or "failed". */
  outcome: string;
  seconds: number;
}

/** Measures a pass of the finisher. */
export type MeasuredPass = <T>(pass: Promise<T>) => Promise<T>;

/** Receives events of the printing service; must not throw. */
export interface PdfMeasures {
  /** A document, from its arrival to the end of all steps; `pages` is 0 for one that failed. */
  printed(document: MeasuredWork & { pages: number }): void;
  /** The pass over a printed report that repairs it and joins its attachments. */
  finished(pass: MeasuredWork): void;
}

/** Receives events of rendering; must not throw. */
export interface TemplateMeasures {
  rendered(work: {
    /** Key of a template of this host; undefined for one of a store. */
    template: string | undefined;
    /** "done", or the id of the error that it ended with. */
    outcome: string;
    seconds: number;
  }): void;
}

/** Receives service calls and metrics of plugins; must not throw. */
export interface PluginMeasures extends ServiceMeasures {
  /** A report of an instance about the metrics that its plugin defines. */
  reported(plugin: { name: string; version: string }, report: MetricsReport): void;
}

/** Receives events of jobs on this host; must not throw. */
export interface JobMeasures {
  /** An attempt whose answer was stored. */
  ended(attempt: { plugin: string; state: "done" | "failed"; seconds: number }): void;
  /** An attempt to deliver a webhook; `waiting`: it is repeated. */
  webhookSent(outcome: "delivered" | "waiting" | "failed"): void;
}
