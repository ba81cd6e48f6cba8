/** Errors of rendering. */
import { RequestError } from "@slipway/sdk";
import type { TemplatesConfiguration } from "../configuration/templates-configuration.js";
import type { TemplateProblem } from "./template-problem.js";

/** The template failed, at a place if known. */
export class RenderFailure extends Error {
  override readonly name = "RenderFailure";

  constructor(readonly problem: TemplateProblem) {
    super(problem.message);
  }
}

/** The process ended twice for another reason than memory. */
export function processLost(): RenderFailure {
  return new RenderFailure(inReport("the process that rendered it ended"));
}

function inReport(message: string): TemplateProblem {
  return { file: "report.ejs", line: undefined, message };
}

/** The template exceeded its time limit, at a place if known. */
export function tooLong(
  { timeLimit }: TemplatesConfiguration,
  place?: Pick<TemplateProblem, "file" | "line">,
): RenderFailure {
  return new RenderFailure({ ...inReport(`it was not finished after ${timeLimit} ms`), ...place });
}

/** The template exceeded the memory limit of its process. */
export function tooMuchMemory({ memoryLimit }: TemplatesConfiguration): RenderFailure {
  return new RenderFailure(inReport(`it needs more than ${memoryLimit} MB of memory`));
}

/** The deadline of the request has passed, or the request was aborted. */
export function outOfTime(): RequestError {
  const message = "The report was not finished in time. Try again, or choose fewer items.";
  return new RequestError({ id: "request-timeout", code: 504, message });
}

/** No process can be started. */
export function unavailable(): RequestError {
  const message = "The host could not start a process for templates. Try again, or tell the admin.";
  return new RequestError({ id: "plugin-unavailable", code: 503, message, headers: { "Retry-After": "10" } });
}

/** The service stops. */
export function stopping(): RequestError {
  const message = "The host is stopping. Try again.";
  return new RequestError({ id: "plugin-unavailable", code: 503, message, headers: { "Retry-After": "5" } });
}
