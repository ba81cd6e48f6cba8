import { AbortingError, type Static, Type } from "@slipway/sdk";
import { RequestProgress } from "@slipway/sdk/runtime";
import { type Job, JobState, Webhook } from "./job.js";

/** A job, for clients. */
export const JobResource = Type.Object(
  {
    id: Type.String({
      description: "Its beginning only, in lists for a caller without the role `sessions`.",
    }),
    state: JobState,
    progress: Type.Optional(RequestProgress),
    attempt: Type.Integer({ minimum: 0, description: "How often it was begun." }),
    created: Type.String({ format: "date-time", description: "UTC." }),
    started: Type.Optional(Type.String({ format: "date-time", description: "Of the last attempt." })),
    finished: Type.Optional(Type.String({ format: "date-time" })),
    plugin: Type.String({ description: "Name and version of the plugin that accepted it." }),
    release: Type.String(),
    method: Type.String(),
    operation: Type.String({ description: "Path below the plugin as declared, parameters as :name." }),
    revision: Type.Optional(
      Type.Integer({ description: "Of the session's project from which the answer is made." }),
    ),
    result: Type.Optional(
      Type.Object({ code: Type.Integer({ description: "Status of the answer." }), url: Type.String() }),
    ),
    error: Type.Optional(AbortingError),
    webhook: Type.Optional(
      Type.Object(
        {
          server: Type.String({ description: "Origin of its URL." }),
          state: Webhook.properties.state,
          attempts: Type.Integer({ minimum: 0, description: "How often it was sent." }),
          next: Type.Optional(
            Type.String({ format: "date-time", description: "When it is sent again, after a failure." }),
          ),
          error: Type.Optional(Type.String({ description: "Why the last attempt failed." })),
        },
        { description: "Who is told of the end." },
      ),
    ),
    session: Type.Optional(Type.String({ description: "The beginning of its id; in lists." })),
    host: Type.Optional(Type.String({ description: "That of the last attempt; in lists." })),
  },
  { title: "Job" },
);
export type JobResource = Static<typeof JobResource>;

/** The path of a job. */
export function jobPath(id: string): string {
  return `/api/jobs/${id}`;
}

export function jobResource({
  request,
  created,
  started,
  finished,
  status,
  progress,
  error,
  webhook,
  ...job
}: Job): JobResource {
  const { plugin, release, method, operation, session, baseUrl } = request;
  const { id, state, attempt } = job;
  const time = (milliseconds: number): string => new Date(milliseconds).toISOString();
  return {
    id,
    state,
    ...(progress !== undefined && { progress }),
    attempt,
    created: time(created),
    ...(started !== undefined && { started: time(started) }),
    ...(finished !== undefined && { finished: time(finished) }),
    plugin,
    release,
    method,
    operation,
    ...(session !== undefined && { revision: session.revision }),
    ...(status !== undefined && { result: { code: status, url: `${baseUrl}${jobPath(id)}/result` } }),
    ...(error !== undefined && { error }),
    ...(webhook !== undefined && { webhook: shownWebhook(webhook) }),
  };
}

/** Path and query of the URL may be secret. */
function shownWebhook({ url, state, attempts, due, error }: Webhook): NonNullable<JobResource["webhook"]> {
  const isAgain = state === "waiting" && attempts > 0;
  return {
    server: new URL(url).origin,
    state,
    attempts,
    ...(isAgain && { next: new Date(due).toISOString() }),
    ...(error !== undefined && { error }),
  };
}
