import type { PartHealth } from "../part-health.js";
import { type AskedMetrics, askedOnce } from "./asked-metrics.js";

/** A plugin that the configuration of a release names, and whether a version of it answers there. */
export interface WantedPluginHealth {
  release: string;
  plugin: string;
  isLive: boolean;
}

/** Shows what `/readyz` says, in numbers. */
export function showHealth(
  asked: AskedMetrics,
  parts: () => Promise<Record<string, PartHealth>>,
  wanted: () => readonly WantedPluginHealth[],
): void {
  const entries = askedOnce(async () => Object.entries(await parts()));
  asked.gauge({
    name: "slipway_part_ready",
    help: "1 for each part of the host that can serve, 0 for one that keeps the host from being ready.",
    labels: ["part"],
    ask: async () =>
      (await entries()).map(([part, { ready }]) => ({ labels: { part }, value: ready ? 1 : 0 })),
  });
  asked.gauge({
    name: "slipway_part_problems",
    help: "How much is wrong with a part without keeping it from serving; /readyz says what.",
    labels: ["part"],
    ask: async () =>
      (await entries()).map(([part, { problems = [] }]) => ({ labels: { part }, value: problems.length })),
  });
  asked.gauge({
    name: "slipway_wanted_plugin_live",
    help: "Whether a version of a plugin that the configuration of a release names answers there: 1 or 0.",
    labels: ["release", "plugin"],
    ask: () =>
      wanted().map(({ release, plugin, isLive }) => ({ labels: { release, plugin }, value: isLive ? 1 : 0 })),
  });
}
