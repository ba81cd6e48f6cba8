import type { SuppressedError, TemplateOptions, TemplateRecord } from "@slipway/sdk";
import { errorMessage } from "../../system/errors.js";
import type { TemplateEvent, TemplateProblem, TemplateState } from "../client/operations.js";
import { RefusedRequest } from "../client/refusal.js";
import type { Shown } from "./address.js";
import type { ChosenValues, UsualValues } from "./option-values.js";

/** The session whose project is reported. */
export interface PreviewedSession {
  sessionId: string;
  locale: string;
  project: { name?: string };
}

/** Milliseconds of each step. */
export interface RunTimes {
  generated: number;
  fetched: number;
  drawn: number;
}

/** The report in the pages. */
export interface ShownReport {
  name: string;
  /** Of the file, as the host tells it to others. */
  url: string;
  /** Of the file, for this page. */
  address: string;
  errors: readonly SuppressedError[];
  times: RunTimes;
  /** Milliseconds from the save until the host served it; undefined where no save was the cause. */
  served: number | undefined;
}

/** The options of a template, as a report gets them. */
export interface FilledForm {
  /** Template, session and options that the form is of. */
  of: string;
  options: TemplateOptions;
  usual: UsualValues;
  chosen: ChosenValues;
}

/** What the preview shows. */
export interface PreviewState {
  shown: Shown & { template: string };
  templates: readonly TemplateRecord[];
  /** Where each template stands. */
  standing: readonly TemplateState[];
  form: FilledForm | undefined;
  report: ShownReport | undefined;
  /** Why the last report could not be made or shown. */
  failure: Failure | undefined;
  isBusy: boolean;
  /** The page in the middle, how many there are, and the factor of their size. */
  pages: { current: number; count: number; factor: number };
}

/** What keeps the template from being served goes before what made the last report fail. */
export function problemOf({ standing, shown, pages, failure }: PreviewState): Failure | undefined {
  const problems = standing.find(({ key }) => key === shown.template)?.problems ?? [];
  if (problems.length === 0) return failure;
  const before = pages.count > 0 ? " The pages show the version before." : "";
  return { title: `The saved template is unusable.${before}`, problems };
}

/** What keeps the page from showing the report as it should be. */
export interface Failure {
  title: string;
  problems: readonly TemplateProblem[];
  /** What made the last report fail. */
  error?: unknown;
}

/** An error in words for authors, with the place in the template where there is one. */
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

/** Milliseconds from a save until the host served it, by the host's own clock; nothing for what was saved long before. */
export function servedTime(cause: TemplateEvent | undefined): number | undefined {
  if (cause?.saved === undefined) return undefined;
  const served = Date.parse(cause.time) - Date.parse(cause.saved);
  return served >= 0 && served < 10_000 ? served : undefined;
}
