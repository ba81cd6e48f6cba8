/** How a rendering can end other than with a document. */
import { RequestError } from "@slipway/sdk";
import type { TemplatesConfiguration } from "../configuration/templates-configuration.js";
import type { TemplateProblem } from "./template-problem.js";

/** A template that fails, with what is known of the place. */
export class RenderFailure extends Error {
  override readonly name = "RenderFailure";

  constructor(readonly problem: TemplateProblem) {
    super(problem.message);
  }
}

/** Its process ended twice, and not for lack of memory. */
export function processLost(): RenderFailure {
  return new RenderFailure(inReport("the process that rendered it ended"));
}

function inReport(message: string): TemplateProblem {
  return { file: "report.ejs", line: undefined, message };
}

/** The template ran for too long; where it was at the end is not always known. */
export function tooLong(
  { timeLimit }: TemplatesConfiguration,
  place?: Pick<TemplateProblem, "file" | "line">,
): RenderFailure {
  return new RenderFailure({ ...inReport(`not finished after ${timeLimit} ms`), ...place });
}

/** The template took more memory than its process may have. */
export function tooMuchMemory({ memoryLimit }: TemplatesConfiguration): RenderFailure {
  return new RenderFailure(inReport(`needs more than ${memoryLimit} MB of memory`));
}

/** The request's deadline came, or nobody waits for it any more. */
export function outOfTime(): RequestError {
  const message = "The report was not rendered in the time of its request.";
  return new RequestError({ id: "request-timeout", code: 504, message });
}

/** No process comes up. */
export function unavailable(): RequestError {
  const message = "No process that renders templates could be started.";
  return new RequestError({ id: "plugin-unavailable", code: 503, message, headers: { "Retry-After": "10" } });
}

/** The service ends. */
export function stopping(): RequestError {
  const message = "The host is stopping.";
  return new RequestError({ id: "plugin-unavailable", code: 503, message, headers: { "Retry-After": "5" } });
}
