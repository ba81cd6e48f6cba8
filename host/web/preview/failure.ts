import { errorMessage } from "../../system/errors.js";
import type { TemplateProblem } from "../client/answers.js";
import { RefusedRequest } from "../client/refusal.js";

/** What keeps the page from showing the report as it should be. */
export interface Failure {
  title: string;
  problems: readonly TemplateProblem[];
}

/** An error in words for authors, with the place in the template where there is one. */
export function describedFailure(error: unknown, template: string): Failure {
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
