import { type Log, RequestError, Type } from "@slipway/sdk";
import { notFound } from "@slipway/sdk/runtime/host";
import type { ArtifactStore } from "../files/files.js";
import { sendStoredAnswer } from "../http/dispatch.js";
import { type Job, JobResource, JobState, type Jobs, jobPath, jobResource } from "../jobs/jobs.js";
import { shownId } from "../observability/requests/request-names.js";
import { JobList } from "./answers.js";
import { EventStreams, wantsStream } from "./event-streams.js";
import { type JobEvent, JobEvents } from "./job-events.js";
import { Nothing, ok, okOrStream, operation, Unread } from "./operation.js";

const Id = Type.Object({
  id: Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$", description: "That of the job." }),
});

const listed = { limit: { minimum: 1, maximum: 1000, default: 100 } } as const;

export interface JobOperationParts {
  jobs: Jobs;
  artifacts: ArtifactStore;
  log: Log;
}

/**
 * `/api/jobs`: list, get, follow, get the result, cancel. Ids are unguessable: as with files, the id gives access.
 * Streams end when `closing` aborts.
 */
export function jobOperations({ jobs, artifacts, log }: JobOperationParts, closing: AbortSignal) {
  const streams = new EventStreams(closing);
  const common = { tag: "jobs", roles: [], query: Unread, body: Unread } as const;
  const errors = {
    // Works without a key; an unknown key is refused.
    401: ["request-unauthorized"],
    404: ["request-not-found"],
    429: ["request-rate-limited"],
    503: ["engine-unavailable"],
  };
  return [
    operation({
      ...common,
      method: "GET",
      path: "/api/jobs",
      id: "listJobs",
      summary: "Lists the jobs, the latest first",
      description: "Ids are shortened for callers without the role `sessions`.",
      roles: ["read", "sessions"],
      params: Nothing,
      query: Type.Object(
        { state: Type.Optional(JobState), limit: Type.Integer(listed.limit) },
        { additionalProperties: false },
      ),
      answers: ok("The jobs.", JobList),
      errors: { 503: ["engine-unavailable"] },
      async handle(ctx, { query, caller: { roles } }) {
        const found = await jobs.list(query);
        const hasRole = roles.includes("sessions");
        ctx.body = { jobs: found.map((each) => listedJob(each, hasRole)) };
      },
    }),
    operation({
      ...common,
      method: "GET",
      path: "/api/jobs/:id",
      id: "getJob",
      summary: "One job, as it is or as a stream of its states",
      description:
        "The stream begins with the state of now and ends with the final one. A stream that ends before was cut: ask again.",
      params: Id,
      query: Type.Object(
        {
          wait: Type.Integer({
            minimum: 0,
            maximum: 60,
            default: 0,
            description: "Seconds to wait for the end of the job; not for a stream.",
          }),
        },
        { additionalProperties: false },
      ),
      answers: okOrStream("The job, whatever became of it.", JobResource, {
        event: "job",
        data: JobResource,
      }),
      errors: { ...errors, 503: ["engine-unavailable", "request-overloaded"] },
      async handle(ctx, { params: { id }, query: { wait } }) {
        if (wantsStream(ctx)) {
          existing(id, await jobs.find(id));
          const events = new JobEvents(jobs, id, log);
          const state = (event: JobEvent) => jobResource(event.job);
          return streams.answer(ctx, { events, name: "job", isWanted: () => true, state });
        }
        const found = await jobs.ended(id, wait * 1000, ctx.state.abort.signal);
        ctx.body = jobResource(existing(id, found));
      },
    }),
    operation({
      ...common,
      method: "GET",
      path: "/api/jobs/:id/result",
      id: "getJobResult",
      summary: "The answer to the request of a job",
      description: "With the status, headers and body that the request would have got without `Prefer`.",
      params: Id,
      answers: ok("What the plugin answers.", Type.Unknown()),
      errors: { ...errors, 409: ["request-conflict"] },
      async handle(ctx, { params: { id } }) {
        const found = existing(id, await jobs.find(id));
        const answer = await jobs.answer(id);
        if (answer === undefined) throw withoutResult(found);
        await sendStoredAnswer(ctx, answer, artifacts);
      },
    }),
    operation({
      ...common,
      method: "DELETE",
      isGuarded: "public",
      path: "/api/jobs/:id",
      id: "cancelJob",
      summary: "Cancels a job",
      description: "A job that has ended stays as it is.",
      params: Id,
      answers: ok("The job after that.", JobResource),
      errors,
      async handle(ctx, { params: { id } }) {
        ctx.body = jobResource(existing(id, await jobs.cancel(id)));
      },
    }),
  ];
}

/** The whole id would give access to the answer. */
function listedJob(job: Job, hasRole: boolean): JobResource {
  const { result, ...resource } = jobResource(job);
  const session = job.request.session?.id;
  return {
    ...resource,
    id: hasRole ? job.id : shownId(job.id),
    ...(hasRole && result !== undefined && { result }),
    ...(session !== undefined && { session: shownId(session) }),
    ...(job.host !== undefined && { host: job.host }),
  };
}

function existing(id: string, job: Job | undefined): Job {
  if (job === undefined) throw notFound(jobPath(id));
  return job;
}

/** 409 `request-conflict`: the job has not ended, or was cancelled. */
function withoutResult({ state }: Job): RequestError {
  return new RequestError({
    id: "request-conflict",
    code: 409,
    message:
      state === "cancelled"
        ? "The job was cancelled, so it has no result."
        : `The job is ${state} and has no result yet. Try again later.`,
    additionalInformation: { state },
    ...(state !== "cancelled" && { headers: { "Retry-After": "2" } }),
  });
}
