import { validInput } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import type { ArtifactStore } from "../files/artifact-store.js";
import type { Job } from "../jobs/job.js";
import { jobPath, jobResource } from "../jobs/job-resource.js";
import type { Jobs } from "../jobs/jobs.js";
import { callOrigin } from "./call-origin.js";
import { givenInput, type Middleware, type RequestContext, targetOf } from "./request-state.js";
import { sendStoredAnswer } from "./stored-answers.js";

export interface RespondAsyncParts {
  configuration: Pick<Configuration, "publicUrl">;
  jobs: Jobs;
  artifacts: ArtifactStore;
  /** Further steps that a request has to pass, in order. */
  steps: readonly Middleware[];
}

/** Seconds. */
const longestWait = 60;
/** Seconds after which clients ask for a job again. */
const retryAfter = 2;

/**
 * Answers requests with `Prefer: respond-async` (RFC 7240) by 202 and a job, once their input is valid; with `wait`, those that are
 * done within so many seconds as ever.
 */
export function respondAsync(parts: RespondAsyncParts): Middleware {
  const accept: Middleware = async (ctx) => {
    const job = await createJob(ctx, parts);
    const wait = Number(preferences(ctx).get("wait"));
    const isWaiting = Number.isInteger(wait) && wait > 0;
    const { signal } = ctx.state.abort;
    const later = isWaiting
      ? await parts.jobs.ended(job.id, Math.min(wait, longestWait) * 1000, signal)
      : undefined;
    const answer = later?.status === undefined ? undefined : await parts.jobs.answer(job.id);
    ctx.set("Cache-Control", "no-store");
    ctx.set("Preference-Applied", isWaiting ? `respond-async, wait=${wait}` : "respond-async");
    if (answer === undefined) sendAccepted(ctx, later ?? job);
    else await sendStoredAnswer(ctx, answer, parts.artifacts);
  };
  const passed = [...parts.steps, accept].reduceRight<Middleware>(
    (next, step) => (ctx) => step(ctx, () => next(ctx, nothing)),
    nothing,
  );
  return async (ctx, next) => {
    const isAsked = ctx.get("Prefer") !== "" && preferences(ctx).has("respond-async");
    await (isAsked ? passed(ctx, next) : next());
  };
}

const nothing = async (): Promise<void> => undefined;

/** Names in lower case, with their values; parameters have no meaning here. */
function preferences(ctx: RequestContext): Map<string, string> {
  const given = ctx.get("Prefer").split(",");
  return new Map(
    given.map((each): [string, string] => {
      const [name = "", value = ""] = (each.split(";")[0] ?? "").split("=");
      return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, "$1")];
    }),
  );
}

async function createJob(ctx: RequestContext, { configuration, jobs }: RespondAsyncParts): Promise<Job> {
  const { plugin, route, release, deadline } = targetOf(ctx);
  const { requestId, session } = ctx.state;
  // Before the validation, which adds defaults: the version that answers may have others.
  const body = ctx.state.body === undefined ? "" : JSON.stringify(ctx.state.body);
  validInput(plugin, route, givenInput(ctx));
  const { client, baseUrl } = callOrigin(ctx, { release, deadline, publicUrl: configuration.publicUrl });
  const request = {
    requestId,
    method: ctx.method,
    path: ctx.path,
    query: ctx.querystring,
    ...(client !== undefined && { client }),
    baseUrl,
    plugin: `${plugin.name}@${plugin.version}`,
    operation: route.path,
    release,
    ...(session !== undefined && { session: { id: session.id, revision: session.revision } }),
  };
  return await ctx.state.work.step("store the job", () => jobs.create(request, body, ctx.state.reservedId));
}

function sendAccepted(ctx: RequestContext, job: Job): void {
  ctx.status = 202;
  ctx.set("Location", jobPath(job.id));
  ctx.set("Retry-After", String(retryAfter));
  ctx.body = jobResource(job);
}
