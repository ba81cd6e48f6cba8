/** What the parts of the host tell of their work, to be counted. */
import type { MetricsReport } from "@slipway/sdk/runtime";
import type { ServiceMeasures } from "@slipway/sdk/runtime/host";

/** What became of a document or of one step of it. */
export interface MeasuredWork {
  /** "done", or how it ended otherwise: the id of an error, or "failed". */
  outcome: string;
  seconds: number;
}

/** Tells of a pass of the finisher when it is over. */
export type MeasuredPass = <T>(pass: Promise<T>) => Promise<T>;

/** Hears of what the printing service does; must not throw. */
export interface PdfMeasures {
  /** A document, from its arrival to the end of all steps; `pages` is 0 for one that failed. */
  printed(document: MeasuredWork & { pages: number }): void;
  /** The pass over a printed report that repairs it and joins its attachments. */
  finished(pass: MeasuredWork): void;
}

/** Hears of what is rendered; must not throw. */
export interface TemplateMeasures {
  rendered(work: {
    /** Key of a template of this host; undefined for one of a store. */
    template: string | undefined;
    /** "done", or the id of the error that it ended with. */
    outcome: string;
    seconds: number;
  }): void;
}

/** Hears of what plugins do that is counted; must not throw. */
export interface PluginMeasures extends ServiceMeasures {
  /** What an instance says of the metrics that its plugin made itself. */
  reported(plugin: { name: string; version: string }, report: MetricsReport): void;
}

/** Hears of what this host does for jobs; must not throw. */
export interface JobMeasures {
  /** An attempt whose answer counts. */
  ended(attempt: { plugin: string; state: "done" | "failed"; seconds: number }): void;
  /** The telling of an end; `waiting`: it is done again. */
  webhookSent(outcome: "delivered" | "waiting" | "failed"): void;
}
