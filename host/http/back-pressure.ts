import { type LivePlugin, requestedSession } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { requestLimits } from "../configuration/plugin-limits.js";
import { FairQueue, type QueuedJob } from "../system/fair-queue.js";
import { givenInput, type Middleware, targetOf } from "./request-state.js";

/** The request queue of one plugin. */
export interface PluginQueue {
  /** Maximum numbers of running and of queued requests. */
  limits(): { concurrency: number; queue: number };
  requests: FairQueue;
}

/** By name, for plugins with at least one request. */
export type PluginQueues = Map<string, PluginQueue>;

/** One queue per plugin, for all its versions, so that a busy plugin does not affect others. */
export class PluginTurns {
  constructor(
    private readonly configuration: Pick<Configuration, "plugins" | "requests">,
    private readonly queues: PluginQueues,
  ) {}

  /** Waits for a turn, and gives the function that ends it; otherwise like `FairQueue.enter`. */
  async enter(plugin: LivePlugin, job: QueuedJob): Promise<() => void> {
    const queue = this.queues.get(plugin.name) ?? this.newQueue(plugin);
    this.queues.set(plugin.name, queue);
    return await queue.requests.enter(job);
  }

  /** Whether more requests of a plugin wait than it works on. */
  isCrowded({ name }: LivePlugin): boolean {
    const requests = this.queues.get(name)?.requests;
    return requests !== undefined && requests.waiting > 0 && requests.waiting >= requests.running;
  }

  /** Requests of other hosts that this one could take. */
  get spare(): number {
    const isBusy = [...this.queues.values()].some(({ requests }) => requests.waiting > 0);
    return isBusy ? 0 : this.configuration.requests.concurrency;
  }

  private newQueue(plugin: LivePlugin): PluginQueue {
    const limits = () => requestLimits(this.configuration, plugin);
    const requests = new FairQueue(
      () => {
        const { concurrency, queue, clientShare } = limits();
        return { running: concurrency, waiting: queue, share: clientShare };
      },
      (whose) => `Too many requests${whose} are waiting for this plugin. Try again.`,
    );
    return { limits, requests };
  }
}

/**
 * Limits concurrency and queue length per plugin. Clients take turns, as do the sessions of a client. 400 for a malformed
 * session id before the request is queued.
 */
export function backPressure(turns: PluginTurns): Middleware {
  return async (ctx, next) => {
    const { plugin, route } = targetOf(ctx);
    const job = {
      client: ctx.state.requester,
      session: requestedSession(plugin, route, givenInput(ctx)),
      signal: ctx.state.abort.signal,
    };
    const came = performance.now();
    let leave: () => void;
    try {
      leave = await ctx.state.work.step("wait for a turn", () => turns.enter(plugin, job));
    } finally {
      ctx.state.waited = performance.now() - came;
    }
    try {
      await next();
    } finally {
      leave();
    }
  };
}
