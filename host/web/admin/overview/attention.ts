import { useMemo } from "preact/hooks";
import type { HostStatus, PluginState } from "../../client/operations.js";
import { isTroubled, labelOf, stageWords } from "../../parts/badge.js";
import { addressOf, type ViewName, viewNames } from "../../parts/route.js";
import { shownTime } from "../../parts/shown-values.js";
import { useHostView } from "../host-view.js";

/** A problem that an admin should look at. */
export interface Attention {
  tone: "wrong" | "warning";
  title: string;
  /** In full. */
  text: string | undefined;
  /** The view that has more of it. */
  view: ViewName;
  address: string;
}

/** All problems, the worst first. */
export function useAttention(): Attention[] {
  const { status, plugins } = useHostView();
  const [host, states] = [status.value, plugins.value?.plugins];
  return useMemo(() => {
    const troubled = (states ?? []).filter(isTroubled);
    return [...notReady(host), ...troubled.map(ofPlugin), ...lost(host), ...problems(host, troubled)];
  }, [host, states]);
}

function notReady(status: HostStatus | undefined): Attention[] {
  return (status?.reasons ?? []).map((text) => ({
    tone: "wrong",
    title: "Not ready",
    text,
    ...at("overview"),
  }));
}

function ofPlugin(state: PluginState): Attention {
  return {
    tone: state.stage === "quarantined" ? "wrong" : "warning",
    title: `${labelOf(state)}: ${stageWords(state.stage).text.toLowerCase()}`,
    text: state.reason,
    view: "plugins",
    address: addressOf("plugins", state.name),
  };
}

function lost(status: HostStatus | undefined): Attention[] {
  const members = status?.members?.filter(({ state }) => state === "lost") ?? [];
  return members.map(({ name, leaseUntil }) => ({
    tone: "warning",
    title: `Host ${name}: lost`,
    text: `It ended without being stopped, or cannot reach the engine; its lease ended at ${shownTime(new Date(leaseUntil))}.`,
    ...at("overview"),
  }));
}

/** Problems that parts of the host report, without those that the states of plugins describe better. */
function problems(status: HostStatus | undefined, troubled: readonly PluginState[]): Attention[] {
  if (status === undefined) return [];
  const isSaid = (text: string): boolean => troubled.some((state) => text.startsWith(`${labelOf(state)}: `));
  const found = Object.entries(status.parts).flatMap(([part, { problems: texts = [] }]) =>
    texts.filter((text) => !isSaid(text)).map((text) => ({ part, text })),
  );
  const { state, detail } = status.browser;
  if (state === "degraded") found.push({ part: "pdf", text: detail });
  return found.map(({ part, text }) => ({
    tone: "warning",
    title: titles[part] ?? part,
    text,
    ...at(viewNames.find((view) => view === part) ?? "overview"),
  }));
}

const titles: Readonly<Record<string, string>> = {
  pdf: "Printing",
  templates: "Templates",
  plugins: "Plugins",
  storage: "Disk",
  engine: "Engine",
  sessions: "Sessions",
  files: "Generated files",
  process: "Process",
  configuration: "Configuration",
  access: "Keys",
};

function at(view: ViewName): Pick<Attention, "view" | "address"> {
  return { view, address: addressOf(view) };
}
