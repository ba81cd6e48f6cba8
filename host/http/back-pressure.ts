import { requestedSession } from "@slipway/sdk/runtime/host";
import type { Configuration } from "../configuration/configuration.js";
import { requestLimits } from "../configuration/plugin-limits.js";
import { FairQueue } from "../system/fair-queue.js";
import { givenInput } from "./request-input.js";
import { type Middleware, targetOf } from "./request-state.js";

/** How busy the requests of one plugin are. */
export interface PluginQueue {
  /** The most that may work at a time, and that may wait. */
  limits(): { concurrency: number; queue: number };
  requests: FairQueue;
}

/** Those of plugins that were asked for at least once, by name. */
export type PluginQueues = Map<string, PluginQueue>;

/**
 * Bounded concurrency and a bounded queue for each plugin name, all its versions together; one busy plugin leaves the
 * others alone. Clients take turns, and so do the sessions of a client. 400 for a session id that is malformed, so that
 * it need not wait to be told so.
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
