import { badRequest, type RequestError } from "@slipway/sdk";
import { validInput } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { checkTarget } from "../fetch/fetch.js";
import type { ArtifactStore } from "../files/files.js";
import type { Job, Webhook } from "../jobs/job.js";
import { jobPath, jobResource } from "../jobs/job-resource.js";
import type { JobExtras, Jobs } from "../jobs/jobs.js";
import { signerOf } from "../jobs/webhook-secrets.js";
import { callOrigin } from "./call-origin.js";
import { preferences } from "./preferences.js";
import { givenInput, type Middleware, type RequestContext, targetOf } from "./request-state.js";
import { sendStoredAnswer } from "./stored-answers.js";

export interface RespondAsyncParts {
  configuration: Pick<Configuration, "publicUrl" | "fetch">;
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
 * done within so many seconds as ever. The URL in `Slipway-Webhook` is told of the end.
 */
export function respondAsync(parts: RespondAsyncParts): Middleware {
  const accept: Middleware = async (ctx) => {
    const webhook = webhookOf(ctx, parts.configuration);
    const job = await createJob(ctx, parts, { id: ctx.state.reservedId, webhook });
    const waitText = preferences(ctx.get("Prefer")).get("wait") ?? "";
    const wait = /^\d{1,9}$/.test(waitText) ? Number(waitText) : 0;
    const isWaiting = wait > 0;
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
  const passed = inOrder([...parts.steps, accept]);
  return async (ctx, next) => {
    const isAsked = preferences(ctx.get("Prefer")).has("respond-async");
    if (!isAsked && ctx.get(webhookHeader) !== "") throw withoutJob(ctx);
    await (isAsked ? passed(ctx, next) : next());
  };
}

const webhookHeader = "Slipway-Webhook";
const longestUrl = 2048;

/** Throws 400 for what is no link, 403 for a server that the configuration does not allow. */
function webhookOf(
  ctx: RequestContext,
  configuration: RespondAsyncParts["configuration"],
): Pick<Webhook, "url" | "signer"> | undefined {
  const given = ctx.get(webhookHeader);
  if (given === "") return undefined;
  if (given.length > longestUrl || !URL.canParse(given)) {
    const expected = `one URL of at most ${longestUrl} characters, such as "https://orders.example.com/reports"`;
    throw badRequest("The request is not valid", [
      { path: `headers.${webhookHeader}`, expected, received: JSON.stringify(given.slice(0, 80)) },
    ]);
  }
  checkTarget(given, configuration.fetch, true);
  return { url: new URL(given).href, signer: signerOf(ctx.state.keyName) };
}

function withoutJob(ctx: RequestContext): RequestError {
  const received = ctx.get("Prefer");
  const message = `A request with ${webhookHeader} must also have the header Prefer: respond-async, because only a job ends later.`;
  return badRequest({ message }, [
    {
      path: "headers.Prefer",
      expected: `respond-async, because there is ${webhookHeader}`,
      received: received === "" ? "nothing" : JSON.stringify(received.slice(0, 80)),
    },
  ]);
}

const nothing = async (): Promise<void> => undefined;

/** Steps that follow each other; what comes after the last one does not run. */
export function inOrder(steps: readonly Middleware[]): Middleware {
  return steps.reduceRight<Middleware>((next, step) => (ctx) => step(ctx, () => next(ctx, nothing)), nothing);
}

/** Stores a request as a job, once its input is valid. */
export async function createJob(
  ctx: RequestContext,
  { configuration, jobs }: Pick<RespondAsyncParts, "configuration" | "jobs">,
  more: JobExtras & { isUrgent?: true },
): Promise<Job> {
  const { isUrgent, ...extras } = more;
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
    ...(isUrgent && { isUrgent }),
    ...(session !== undefined && { session: { id: session.id, revision: session.revision } }),
  };
  return await ctx.state.work.step("store the job", () => jobs.create(request, body, extras));
}

function sendAccepted(ctx: RequestContext, job: Job): void {
  ctx.status = 202;
  ctx.set("Location", jobPath(job.id));
  ctx.set("Retry-After", String(retryAfter));
  ctx.body = jobResource(job);
}
