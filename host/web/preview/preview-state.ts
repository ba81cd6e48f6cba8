import type { SuppressedError, TemplateOptions, TemplateRecord } from "@slipway/sdk";
import { errorMessage } from "../../system/errors.js";
import type { TemplateEvent, TemplateProblem, TemplateState } from "../client/operations.js";
import { RefusedRequest } from "../client/refusal.js";
import type { Shown } from "./address.js";
import type { ChosenValues, UsualValues } from "./option-values.js";

/** The session with the project of the reports. */
export interface PreviewedSession {
  sessionId: string;
  locale: string;
  project: { name?: string };
}

/** Durations of the steps in milliseconds. */
export interface RunTimes {
  generated: number;
  fetched: number;
  drawn: number;
}

/** The displayed report. */
export interface ShownReport {
  name: string;
  /** Public URL of the file. */
  url: string;
  /** URL of the file for this page. */
  address: string;
  errors: readonly SuppressedError[];
  times: RunTimes;
  /** Milliseconds from the save until the host served it; undefined without a save. */
  served: number | undefined;
}

/** The options of a template with their values. */
export interface FilledForm {
  /** Identifies template, session and options of the form. */
  of: string;
  options: TemplateOptions;
  usual: UsualValues;
  chosen: ChosenValues;
}

/** What the preview shows. */
export interface PreviewState {
  shown: Shown & { template: string };
  templates: readonly TemplateRecord[];
  /** The state of each template. */
  templateStates: readonly TemplateState[];
  form: FilledForm | undefined;
  report: ShownReport | undefined;
  /** Why the last report failed. */
  failure: Failure | undefined;
  isBusy: boolean;
  /** Current page, number of pages, and zoom factor. */
  pages: { current: number; count: number; factor: number };
}

/** Mistakes of the template take precedence over the failure of the last report. */
export function problemOf({ templateStates, shown, pages, failure }: PreviewState): Failure | undefined {
  const problems = templateStates.find(({ key }) => key === shown.template)?.problems ?? [];
  if (problems.length === 0) return failure;
  const before = pages.count > 0 ? " The pages show the version before." : "";
  return { title: `The saved template is unusable.${before}`, problems };
}

/** Why the page cannot show the current report. */
export interface Failure {
  title: string;
  problems: readonly TemplateProblem[];
  /** Cause of the failure of the last report. */
  error?: unknown;
}

/** An error for authors, with its place in the template if known. */
export function describedFailure(error: unknown, template: string): Failure {
  return { ...describedError(error, template), error };
}

function describedError(error: unknown, template: string): Failure {
  if (!(error instanceof RefusedRequest)) {
    console.error(error);
    return { title: `The pages cannot be shown: ${errorMessage(error)}`, problems: [] };
  }
  const { id, message, cause = [], additionalInformation: known = {} } = error.error;
  if (id === "request-template-not-found")
    return {
      title: `There is no template "${template}" for now; it is shown as soon as there is one.`,
      problems: [],
    };
  if (id === "request-session-not-found")
    return {
      title: "The session with the project has ended; load this page again to choose a project.",
      problems: [],
    };
  const { file, line, excerpt } = known;
  if (typeof file !== "string") return { title: message, problems: [] };
  const problem: TemplateProblem = {
    file,
    line: typeof line === "number" ? line : undefined,
    message: cause[0] ?? message,
    ...(typeof excerpt === "string" && { excerpt }),
  };
  return { title: "The template failed with this project.", problems: [problem] };
}

/** Milliseconds from a save until the host served it, by the host's clock; undefined for an old save. */
export function servedTime(cause: TemplateEvent | undefined): number | undefined {
  if (cause?.saved === undefined) return undefined;
  const served = Date.parse(cause.time) - Date.parse(cause.saved);
  return served >= 0 && served < 10_000 ? served : undefined;
}
