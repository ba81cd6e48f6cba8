import type { HostError, Problem } from "./host-answers.js";

/** What keeps the page from showing the report as it should be. */
export interface Failure {
  title: string;
  problems: Problem[];
}

/** An error in words for authors, with the place in the template where there is one. */
export function describedFailure(error: unknown, template: string): Failure {
  if (!(error instanceof RefusedRequest)) {
    console.error(error);
    return {
      title: `The pages cannot be shown: ${error instanceof Error ? error.message : String(error)}`,
      problems: [],
    };
  }
  const { id, message, cause = [], additionalInformation: known = {} } = error.error;
  if (id === "request-template-not-found") {
    return {
      title: `There is no template "${template}" for now; it is shown as soon as there is one.`,
      problems: [],
    };
  }
  if (id === "request-session-not-found") {
    return {
      title: "The session with the project has ended; load this page again to choose a project.",
      problems: [],
    };
  }
  const { file, line, excerpt } = known;
  if (typeof file !== "string") return { title: message, problems: [] };
  const problem: Problem = {
    file,
    message: cause[0] ?? message,
    ...(typeof line === "number" ? { line } : {}),
    ...(typeof excerpt === "string" ? { excerpt } : {}),
  };
  return { title: "The template failed with this project.", problems: [problem] };
}

/** What the host answered with instead of a result; code 0 where nobody answered. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";

  constructor(readonly error: HostError) {
    super(error.message);
  }
}

/** Whether somebody gave the request up. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
