import type { PluginState } from "../admin/host/answers.js";
import { Badge } from "./badge.js";
import { stageWords } from "./stage-words.js";

/** Where a version stands. */
export function StageBadge({ state }: { state: Pick<PluginState, "stage" | "probationUntil"> }) {
  const { text, tone, icon, meaning } = stageWords(state.stage);
  if (state.stage !== "live" || state.probationUntil === undefined)
    return <Badge tone={tone} icon={icon} text={text} title={meaning} />;
  return (
    <Badge
      tone="warning"
      icon="live"
      text="Live, on probation"
      title="It answers requests; the version that it replaced stands by in case it serves badly."
    />
  );
}
