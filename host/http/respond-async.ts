import { badRequest, type RequestError } from "@slipway/sdk";
import { validInput } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { checkTarget } from "../fetch/fetch.js";
import type { ArtifactStore } from "../files/files.js";
import {
  type Job,
  type JobExtras,
  type Jobs,
  jobPath,
  jobResource,
  signerOf,
  type Webhook,
} from "../jobs/jobs.js";
import { sendStoredAnswer } from "./dispatch.js";
import { callOrigin, givenInput, type Middleware, type RequestContext, targetOf } from "./request-state.js";

export interface RespondAsyncParts {
  configuration: Pick<Configuration, "publicUrl" | "fetch">;
  jobs: Jobs;
  artifacts: ArtifactStore;
  /** Further steps that a request has to pass, in order. */
  steps: readonly Middleware[];
}

/** Seconds. */
const longestWait = 60;
/** Seconds after which clients poll a job again. */
const retryAfter = 2;

/**
 * Answers requests with `Prefer: respond-async` (RFC 7240) by 202 and a job, once their input is valid. With `wait`, a job that
 * ends within so many seconds is answered directly. The URL in `Slipway-Webhook` gets a request at the end of the job.
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

/** Throws 400 for an invalid link, 403 for a server that the configuration does not allow. */
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

/** Runs steps in order, without the steps of the app that follow. */
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

const token = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const quotedString = /"(?:[^"\\]|\\.)*"/y;
const blanks = /[ \t]*/y;

/**
 * Names in lower case, with their values (empty without one). Of duplicate names, the first counts. Ignores parameters, and
 * invalid preferences up to the next comma.
 */
export function preferences(header: string): Map<string, string> {
  const found = new Map<string, string>();
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [text = ""] = pattern.exec(header) ?? [];
    at += text.length;
    return text;
  };
  const takes = (character: string): boolean => {
    take(blanks);
    if (header[at] !== character) return false;
    at += 1;
    take(blanks);
    return true;
  };
  const word = (): string => take(token) || take(quotedString).slice(1, -1).replaceAll(/\\(.)/g, "$1");
  const pair = (): [name: string, value: string] => [take(token).toLowerCase(), takes("=") ? word() : ""];
  while (at < header.length) {
    take(blanks);
    const [name, value] = pair();
    while (takes(";")) pair();
    const isWhole = at === header.length || header[at] === ",";
    if (isWhole && name !== "" && !found.has(name)) found.set(name, value);
    const comma = header.indexOf(",", at);
    at = comma < 0 ? header.length : comma + 1;
  }
  return found;
}
