import { requestedSession } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { requestLimits } from "../configuration/plugin-limits.js";
import { FairQueue } from "../system/fair-queue.js";
import { givenInput, type Middleware, targetOf } from "./request-state.js";

/** The request queue of one plugin. */
export interface PluginQueue {
  /** Maximum numbers of running and of queued requests. */
  limits(): { concurrency: number; queue: number };
  requests: FairQueue;
}

/** By name, for plugins that have had a request. */
export type PluginQueues = Map<string, PluginQueue>;

/**
 * Limits concurrency and queue length per plugin name, over all its versions, so that a busy plugin does not affect
 * others. Clients take turns, as do the sessions of a client. 400 for a malformed session id before the request is
 * queued.
 */
export function backPressure(
  configuration: Pick<Configuration, "plugins" | "requests">,
  queues: PluginQueues,
): Middleware {
  const newQueue = (plugin: Parameters<typeof requestLimits>[1]): PluginQueue => {
    const limits = () => requestLimits(configuration, plugin);
    const requests = new FairQueue(
      () => {
        const { concurrency, queue, clientShare } = limits();
        return { running: concurrency, waiting: queue, share: clientShare };
      },
      (whose) => `Too many requests${whose} wait for this plugin.`,
    );
    return { limits, requests };
  };
  return async (ctx, next) => {
    const { plugin, route } = targetOf(ctx);
    const queue = queues.get(plugin.name) ?? newQueue(plugin);
    queues.set(plugin.name, queue);
    const job = {
      client: ctx.state.requester,
      session: requestedSession(plugin, route, givenInput(ctx)),
      signal: ctx.state.abort.signal,
    };
    const came = performance.now();
    let leave: () => void;
    try {
      leave = await ctx.state.work.step("wait for a turn", () => queue.requests.enter(job));
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
