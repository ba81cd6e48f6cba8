import { type Log, RequestError } from "@slipway/sdk";
import type { Members } from "../engine/members.js";
import { hasEnded, type Job } from "../jobs/job.js";
import { isEngineUnavailable } from "../system/request-errors.js";
import { monotonicTime } from "../system/time.js";
import type { PluginTurns } from "./back-pressure.js";
import { type Middleware, type RequestContext, targetOf } from "./request-state.js";
import { createJob, inOrder, type RespondAsyncParts } from "./respond-async.js";
import { sendStoredAnswer } from "./stored-answers.js";

export interface SpreadParts extends RespondAsyncParts {
  configuration: RespondAsyncParts["configuration"] & { jobs: { waiting: number } };
  turns: PluginTurns;
  members: Pick<Members, "list">;
  log: Log;
}

/** Milliseconds for which another host may take its time to begin. */
const patience = 1000;
/** Milliseconds between looks at the answer. */
const lookInterval = 100;
/** Milliseconds for which is believed what the other hosts have said of themselves. */
const memory = 1000;

/**
 * While more requests of a plugin wait here than are worked on, and another host has nothing that waits: gives a request to the
 * others as an urgent job, and answers as if it had been done here. A request that no other host begins waits here after all.
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
      // Not waited for: the client has its answer.
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
      // A full queue of jobs does not keep it from waiting here. With an engine that is away another host may work on it.
      if (ctx.state.abort.signal.aborted || !isOverload(error)) throw error;
    } finally {
      spread -= 1;
    }
    if (ctx.state.answered === undefined && !ctx.state.abort.signal.aborted) await next();
  };
}

/** The job after its end. One that nobody begins in time is cancelled, so that nobody begins it later. */
async function answered(ctx: RequestContext, { jobs }: SpreadParts, id: string): Promise<Job | undefined> {
  const { signal } = ctx.state.abort;
  const { deadline } = targetOf(ctx);
  while (monotonicTime() < deadline) {
    const job = await jobs.ended(id, patience, signal, lookInterval);
    signal.throwIfAborted();
    if (job === undefined || hasEnded(job)) return job;
    if (job.state !== "running") break;
  }
  return await jobs.cancel(id);
}

function isOverload(error: unknown): boolean {
  return error instanceof RequestError && error.id === "request-overloaded";
}

/** Whether another host could serve and has nothing that waits, as of a moment ago. */
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
