import { basename } from "node:path";
import type { PartHealth } from "./api/health.js";
import type { PdfHealth } from "./pdf/pdf-service.js";
import type { RouteTable } from "./plugins/live-plugin.js";
import type { PluginState, Stage } from "./plugins/plugin-state.js";
import { livePlugins } from "./plugins/route-table.js";
import type { TemplateState } from "./templates/template-service.js";

/** A degraded printer still prints. */
export function pdfHealth(health: PdfHealth): PartHealth {
  return { ready: health.state === "ready" || health.state === "degraded", detail: health.detail };
}

/** Stages in which something is wrong with a version. */
const troubled: readonly Stage[] = ["rejected", "failed", "quarantined"];

/** One broken plugin of a third party takes nothing from the others; a host without any has nothing to serve. */
export function pluginsHealth(table: RouteTable, states: readonly PluginState[]): PartHealth {
  const live = livePlugins(table);
  const problems = states
    .filter(({ stage }) => troubled.includes(stage))
    .map((state) => `${labelOf(state)}: ${state.reason ?? state.stage}`);
  return withProblems(live.length > 0, live.length, "plugin", problems);
}

export function templatesHealth(states: readonly TemplateState[]): PartHealth {
  const serving = states.filter((state) => state.version !== undefined).length;
  const problems = states.flatMap((state) =>
    state.error === undefined ? [] : [`${state.key}: ${state.error}`],
  );
  return withProblems(serving > 0, serving, "template", problems);
}

/** What cannot be read has only the name of its place. */
function labelOf({ name, version, folder }: PluginState): string {
  return name === undefined ? basename(folder) : `${name} ${version}`;
}

function withProblems(ready: boolean, count: number, what: string, problems: string[]): PartHealth {
  const detail = ready ? `${count} ${what}${count === 1 ? "" : "s"} serving` : `no ${what} is serving`;
  return { ready, detail, ...(problems.length === 0 ? {} : { problems }) };
}
