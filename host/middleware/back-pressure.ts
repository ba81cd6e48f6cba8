import type { Configuration } from "../configuration/configuration.js";
import { requestLimits } from "../plugins/plugin-limits.js";
import { PluginGate } from "./plugin-gate.js";
import { type Middleware, targetOf } from "./request-state.js";

/**
 * Bounded concurrency and a bounded queue for each plugin name, all its versions together; one busy plugin leaves the
 * others alone.
 */
export function backPressure(configuration: Pick<Configuration, "plugins" | "requests">): Middleware {
  const gates = new Map<string, PluginGate>();
  return async (ctx, next) => {
    const { plugin } = targetOf(ctx);
    const gate = gates.get(plugin.name) ?? new PluginGate(requestLimits(configuration, plugin));
    gates.set(plugin.name, gate);
    await gate.enter(ctx.state.abort.signal);
    try {
      await next();
    } finally {
      gate.leave();
    }
  };
}
