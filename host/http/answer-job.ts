import { parse } from "node:querystring";
import type { RequestError } from "@slipway/sdk";
import {
  type CallOrigin,
  localeWithoutSession,
  type PluginAnswer,
  parsedJsonBody,
  pluginCall,
  requestTimedOut,
  untraced,
  validInput,
} from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import {
  type AttemptOptions,
  type ClaimedJob,
  errorEnd,
  type JobEnd,
  type JobOutcome,
  storedContent,
} from "../jobs/jobs.js";
import type { RouteTable } from "../plugins/routes/routes.js";
import type { Sessions } from "../sessions/sessions.js";
import { pluginNotFound } from "../system/request-errors.js";
import { deadlineSignal, monotonicTime } from "../system/time.js";
import type { PluginTurns } from "./back-pressure.js";
import { shownError } from "./errors.js";
import { findSession } from "./request-session.js";
import { resolved } from "./resolution.js";

export interface JobAnswering {
  configuration: Pick<Configuration, "jobs" | "requests">;
  sessions: Pick<Sessions, "use" | "find">;
  turns: PluginTurns;
  table(): RouteTable;
}

/** Ids of refusals before any work was done. */
const refusals: ReadonlySet<string> = new Set(["request-overloaded", "engine-unavailable", "host-stopping"]);
/** Milliseconds until another attempt: after a refusal, and after the first failure, doubled with each further one. */
const refusalPause = 2000;
const failurePause = 1000;

/**
 * Makes the answer to the request of a job, as its client would have got it: by the plugin version that serves now, with the
 * revision of the session's project that was the current one when the request came.
 */
export async function answerJob(
  parts: JobAnswering,
  claimed: ClaimedJob,
  options: AttemptOptions,
): Promise<JobOutcome> {
  const { requestId } = claimed.job.request;
  const { log, signal } = options;
  const headers: Record<string, string> = {};
  try {
    return { end: endOf(await call(parts, claimed, options, headers), headers) };
  } catch (error) {
    const shown = shownError(error, { log, requestId, isHeard: !signal.aborted });
    return { end: errorEnd(shown, requestId, headers), ...anotherAttempt(shown, claimed.job.failures) };
  }
}

async function call(
  { configuration, sessions, turns, table }: JobAnswering,
  { job: { request }, body }: ClaimedJob,
  { signal, log, progress }: AttemptOptions,
  headers: Record<string, string>,
): Promise<PluginAnswer> {
  const found = resolved(table(), request, (more) => Object.assign(headers, more));
  if (found === undefined || "allowed" in found) throw pluginNotFound(request.plugin, []);
  const { plugin, route, params, release } = found;
  const timeout = Math.max(route.timeout ?? configuration.requests.timeout, configuration.jobs.timeout);
  const ending = deadlineSignal(signal, timeout, () => requestTimedOut(timeout));
  const letGo = plugin.hold();
  let leave: (() => void) | undefined;
  try {
    leave = await turns.enter(plugin, {
      client: request.client,
      session: request.session?.id,
      signal: ending.signal,
    });
    const { session } = request;
    const record = session && (await findSession(sessions, session.id, log));
    const input = validInput(plugin, route, {
      body: parsedJsonBody(body),
      query: parse(request.query),
      params,
    });
    const origin: CallOrigin = {
      requestId: request.requestId,
      client: request.client,
      release,
      session: record && session && { id: record.id, locale: record.locale, revision: session.revision },
      locale: record?.locale ?? localeWithoutSession,
      baseUrl: request.baseUrl,
      signal: ending.signal,
      deadline: monotonicTime() + timeout,
      work: untraced(log),
      progress,
    };
    return await plugin.call(pluginCall(route, input, origin));
  } finally {
    ending.end();
    leave?.();
    letGo();
  }
}

function endOf({ headers: own, content }: PluginAnswer, headers: Record<string, string>): JobEnd {
  const status = content.kind === "redirect" ? 303 : 200;
  return {
    state: "done",
    answer: { status, headers: { ...headers, ...own }, content: storedContent(content) },
  };
}

function anotherAttempt({ code, id }: RequestError, failures: number): Pick<JobOutcome, "again"> {
  if (refusals.has(id)) return { again: { why: "delay", milliseconds: refusalPause } };
  if (code !== 502 && code !== 503) return {};
  return { again: { why: "failure", milliseconds: failurePause * 2 ** failures } };
}
