import { useMemo } from "preact/hooks";
import type { HostStatus, PluginState } from "../host/answers.js";
import { useHostView } from "../host-view.js";
import { isTroubled, labelOf, stageWords } from "../plugins/stage-words.js";
import { addressOf, type ViewName } from "../route.js";

/** Something that an admin should look at. */
export interface Attention {
  tone: "wrong" | "warning";
  title: string;
  /** In full. */
  text: string | undefined;
  /** The view that has more of it. */
  view: ViewName;
  address: string;
}

/** All that is not well, the worst first. */
export function useAttention(): Attention[] {
  const { status, plugins } = useHostView();
  const [state, states] = [status.value, plugins.value?.plugins];
  return useMemo(() => [...hostAttention(state), ...pluginAttention(states ?? [])], [state, states]);
}

function hostAttention(status: HostStatus | undefined): Attention[] {
  if (status === undefined) return [];
  const found = status.reasons.map(
    (text): Attention => ({ tone: "wrong", title: "Not ready", text, ...at("overview") }),
  );
  const { templates, plugins: _, pdf, ...others } = status.parts;
  for (const text of templates?.problems ?? [])
    found.push({
      tone: "warning",
      title: "A template cannot be used as it was saved",
      text,
      ...at("templates"),
    });
  if (pdf?.ready && status.browser.state === "degraded")
    found.push({ tone: "warning", title: "Printing is impaired", text: pdf.detail, ...at("overview") });
  for (const [name, { problems = [] }] of Object.entries(others))
    for (const text of problems)
      found.push({
        tone: "warning",
        title: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
        text,
        ...at("overview"),
      });
  return found;
}

function pluginAttention(states: readonly PluginState[]): Attention[] {
  return states.filter(isTroubled).map((state) => ({
    tone: state.stage === "quarantined" ? "wrong" : "warning",
    title: `${labelOf(state)}: ${stageWords(state.stage).text.toLowerCase()}`,
    text: state.reason,
    view: "plugins",
    address: addressOf("plugins", state.name),
  }));
}

function at(view: ViewName): Pick<Attention, "view" | "address"> {
  return { view, address: addressOf(view) };
}
