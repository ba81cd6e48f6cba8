import type { Configuration } from "../configuration/configuration.js";
import { requestLimits } from "../plugins/plugin-limits.js";
import { PluginGate } from "./plugin-gate.js";
import { type Middleware, targetOf } from "./request-state.js";

/** The gates of plugins that were asked for at least once, by name. */
export type PluginGates = Map<string, PluginGate>;

/**
 * Bounded concurrency and a bounded queue for each plugin name, all its versions together; one busy plugin leaves the
 * others alone.
 */
export function backPressure(
  configuration: Pick<Configuration, "plugins" | "requests">,
  gates: PluginGates,
): Middleware {
  return async (ctx, next) => {
    const { plugin } = targetOf(ctx);
    const gate = gates.get(plugin.name) ?? new PluginGate(() => requestLimits(configuration, plugin));
    gates.set(plugin.name, gate);
    const came = performance.now();
    try {
      await ctx.state.work.step("wait for a turn", () => gate.enter(ctx.state.abort.signal));
    } finally {
      ctx.state.waited = performance.now() - came;
    }
    try {
      await next();
    } finally {
      gate.leave();
    }
  };
}
