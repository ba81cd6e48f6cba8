import { collectDefaultMetrics, type Registry } from "prom-client";
import { hostVersion, sdkVersion } from "../../system/installation.js";
import type { AskedMetrics } from "./asked-metrics.js";

/** Shows the process of the host: memory, CPU, handles, delays of its event loop, under the names that are usual for Node. */
export function showProcess(registry: Registry, asked: AskedMetrics): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  asked.gauge({
    name: "slipway_build_info",
    help: "1, with the versions of host, SDK and Node.",
    labels: ["version", "sdk", "node"],
    ask: () => [{ labels: { version: hostVersion, sdk: sdkVersion, node: process.versions.node }, value: 1 }],
  });
}
