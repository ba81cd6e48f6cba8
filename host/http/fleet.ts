/** Steps of a request where several hosts share a database. */

import { type Log, RequestError } from "@slipway/sdk";
import type { Members } from "../engine/members.js";
import { hasEnded, type Job } from "../jobs/jobs.js";
import type { SwitchStore } from "../plugins/fleet/fleet.js";
import { engineUnavailable, isEngineUnavailable } from "../system/request-errors.js";
import { monotonicTime } from "../system/time.js";
import type { PluginTurns } from "./back-pressure.js";
import { sendStoredAnswer } from "./dispatch.js";
import { type Middleware, type RequestContext, targetOf } from "./request-state.js";
import { createJob, inOrder, type RespondAsyncParts } from "./respond-async.js";

/**
 * 503 `engine-unavailable` without a lease, or while this host has not caught up with the others, which may serve other plugin
 * versions. Checks the lease before the work and before the answer, because the process may have been suspended in between.
 */
export function leased(
  members: Pick<Members, "lease">,
  switches: Pick<SwitchStore, "isInService"> | undefined,
): Middleware {
  return async (_ctx, next) => {
    const { lease } = members;
    if (lease === undefined || switches?.isInService === false) throw engineUnavailable();
    await next();
    if (members.lease !== lease) throw engineUnavailable();
  };
}

export interface SpreadParts extends RespondAsyncParts {
  configuration: RespondAsyncParts["configuration"] & { jobs: { waiting: number } };
  turns: PluginTurns;
  members: Pick<Members, "list">;
  log: Log;
}

/** Milliseconds for another host to begin. */
const patience = 1000;
/** Milliseconds between polls for the answer. */
const pollInterval = 100;
/** Milliseconds for which the list of the other hosts is reused. */
const memory = 1000;

/**
 * While more requests of a plugin wait here than run, and another host has none waiting: leaves a request to the others as an
 * urgent job, and answers as if it had run here. A request that no other host begins waits here after all.
 */
export function spreadOverload(parts: SpreadParts): Middleware {
  const hasHelp = helpKnown(parts);
  let spread = 0;

  const give: Middleware = async (ctx) => {
    const { id } = await createJob(ctx, parts, { isUrgent: true });
    try {
      const job = await answered(ctx, parts, id);
      const answer = job?.status === undefined ? undefined : await parts.jobs.answer(id);
      if (job === undefined || answer === undefined) return;
      if (job.error !== undefined) ctx.state.errorId = job.error.id;
      ctx.set("Cache-Control", "no-store");
      await sendStoredAnswer(ctx, answer, parts.artifacts);
    } finally {
      // Not awaited: the client has its answer.
      parts.jobs.remove(id).catch((error: unknown) => {
        if (!isEngineUnavailable(error))
          parts.log.warn("A request that was left to other hosts could not be removed", { error });
      });
    }
  };
  const passed = inOrder([...parts.steps, give]);

  return async (ctx, next) => {
    const { plugin } = targetOf(ctx);
    const isLeft =
      parts.turns.isCrowded(plugin) && spread < parts.configuration.jobs.waiting && (await hasHelp());
    if (!isLeft) return await next();
    spread += 1;
    try {
      await passed(ctx, next);
    } catch (error) {
      // With a full queue of jobs it waits here. During an outage of the engine, another host may already work on it.
      if (ctx.state.abort.signal.aborted || !isOverload(error)) throw error;
    } finally {
      spread -= 1;
    }
    if (ctx.state.answered === undefined && !ctx.state.abort.signal.aborted) await next();
  };
}

/** The job after its end. Cancels a job that no host begins in time. */
async function answered(ctx: RequestContext, { jobs }: SpreadParts, id: string): Promise<Job | undefined> {
  const { signal } = ctx.state.abort;
  const { deadline } = targetOf(ctx);
  while (monotonicTime() < deadline) {
    const job = await jobs.ended(id, patience, signal, pollInterval);
    signal.throwIfAborted();
    if (job === undefined || hasEnded(job)) return job;
    if (job.state !== "running") break;
  }
  return await jobs.cancel(id);
}

function isOverload(error: unknown): boolean {
  return error instanceof RequestError && error.id === "request-overloaded";
}

/** Whether another host could serve and had no queue a moment ago. */
function helpKnown({ members }: Pick<SpreadParts, "members">): () => Promise<boolean> {
  let known: { at: number; hasHelp: Promise<boolean> } | undefined;
  return () => {
    const now = monotonicTime();
    if (known === undefined || now - known.at > memory) {
      const hasHelp = members.list().then(
        (all) =>
          all.some(
            ({ current, state, ready, waiting }) => !current && state === "alive" && ready && waiting === 0,
          ),
        () => false,
      );
      known = { at: now, hasHelp };
    }
    return known.hasHelp;
  };
}
