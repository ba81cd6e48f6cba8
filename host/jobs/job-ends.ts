/** Ends of jobs with an error. */
import { RequestError } from "@slipway/sdk";
import { errorBody } from "@slipway/sdk/runtime/host";
import type { JobsConfiguration } from "../configuration/jobs-configuration.js";
import type { JobEnd, JobRequest } from "./job.js";

/** The end of a job whose answer is an error object. */
export function errorEnd(
  error: RequestError,
  requestId: string,
  headers: Record<string, string> = {},
): JobEnd {
  const body = errorBody(error, requestId);
  const content = {
    kind: "text" as const,
    mediaType: "application/json" as const,
    body: JSON.stringify(body),
  };
  const answer = { status: error.code, headers: { ...headers, ...error.headers }, content };
  return { state: "failed", error: body, answer };
}

/** The end of a job without a worker: 500 `job-abandoned` after the last attempt, 504 when it waited too long. */
export function abandonedEnd(
  reason: "attempts" | "wait",
  { requestId }: JobRequest,
  { attempts, lifetime }: JobsConfiguration,
): JobEnd {
  if (reason === "attempts") {
    const times =
      attempts === 1
        ? "once, and its host stopped unexpectedly"
        : `${attempts} times, and its host or plugin stopped unexpectedly each time`;
    const message = `The job started ${times}. It does not start again; tell the admin.`;
    return errorEnd(new RequestError({ id: "job-abandoned", code: 500, message }), requestId);
  }
  const message = `The job did not start within ${lifetime} ms, because the host had too much to do. Try again.`;
  return errorEnd(new RequestError({ id: "request-timeout", code: 504, message }), requestId);
}
