import type { PluginState, Stage } from "../client/operations.js";
import { Icon, type IconName } from "./button.js";

/** The stage of a version. */
export function StageBadge({ state }: { state: Pick<PluginState, "stage" | "probationUntil"> }) {
  const { text, tone, icon, meaning } = stageWords(state.stage);
  if (state.stage !== "live" || state.probationUntil === undefined)
    return <Badge tone={tone} icon={icon} text={text} title={meaning} />;
  return (
    <Badge
      tone="warning"
      icon="live"
      text="Live, on probation"
      title="It serves requests; the replaced version is on standby in case it fails."
    />
  );
}

interface StageWords {
  text: string;
  tone: Tone;
  icon: IconName;
  /** Meaning of the stage, as a sentence. */
  meaning: string;
}

const words: Readonly<Record<Stage, StageWords>> = {
  discovered: stage("Found", "busy", "working", "It was found in the folder."),
  waiting: stage("Waiting", "busy", "waiting", "Its files are not complete yet."),
  verified: stage("Verified", "busy", "working", "Its files are complete and intact."),
  staged: stage("Prepared", "busy", "working", "It is built and ready to start."),
  starting: stage("Starting", "busy", "working", "Its process starts."),
  probing: stage("Probing", "busy", "working", "It is tested before it goes live."),
  live: stage("Live", "good", "live", "It serves requests."),
  standby: stage("Standby", "idle", "standby", "Ready to serve, but no release selects it."),
  draining: stage("Finishing", "busy", "working", "It finishes its last requests."),
  stopped: stage("Stopped", "idle", "off", "It has ended."),
  rejected: stage("Rejected", "wrong", "wrong", "Its content is invalid; it was not started."),
  failed: stage("Failed", "wrong", "wrong", "It failed to start."),
  quarantined: stage("Quarantined", "wrong", "warning", "It failed in service and is not selected any more."),
  disabled: stage("Disabled", "idle", "off", "Disabled by an admin."),
  "needs-grant": stage("Needs grants", "warning", "warning", "It asks for more than it is granted."),
};

function stage(text: string, tone: Tone, icon: IconName, meaning: string): StageWords {
  return { text, tone, icon, meaning };
}

/** A stage as text, icon and colour. */
export function stageWords(name: Stage): StageWords {
  return words[name];
}

/** Whether a version has a problem. */
export function isTroubled({ stage }: Pick<PluginState, "stage">): boolean {
  return words[stage].tone === "wrong";
}

/** Such as "oex 1.6.0", or the folder if the manifest is unreadable. */
export function labelOf({ name, version, folder }: Pick<PluginState, "name" | "version" | "folder">): string {
  return name === undefined ? folder : `${name} ${version ?? ""}`.trim();
}

/** The texts of a stage; undefined for other texts. */
export function wordsOf(name: string | undefined): StageWords | undefined {
  return Object.entries(words).find(([each]) => each === name)?.[1];
}

/** Sort order: by name, unreadable packages last; per plugin live versions first, then the highest version. */
export function inOrder(one: PluginState, other: PluginState): number {
  return (
    Number(one.name === undefined) - Number(other.name === undefined) ||
    (one.name ?? one.folder).localeCompare(other.name ?? other.folder) ||
    Number(other.stage === "live") - Number(one.stage === "live") ||
    (other.version ?? "").localeCompare(one.version ?? "", undefined, { numeric: true })
  );
}

/** Severity. */
export type Tone = "good" | "busy" | "idle" | "warning" | "wrong";

/** A state as text, icon and colour. */
export function Badge(properties: { tone: Tone; icon: IconName; text: string; title?: string }) {
  const { tone, icon, text, title } = properties;
  return (
    <span class="badge" data-tone={tone} title={title}>
      <Icon name={icon} />
      {text}
    </span>
  );
}
