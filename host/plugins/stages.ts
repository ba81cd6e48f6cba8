/** The stages of a plugin version, and which may follow which. Every change of a stage is looked up here. */
import { type Static, Type } from "@slipway/sdk";

/**
 * `waiting`: not complete yet. `rejected`: the plugin's own content is at fault (manifest, bundle, version taken, signature).
 * `failed`: it did not come up. `standby`: it could serve, but no release asks for it, or it stands by for the version that
 * replaced it. `quarantined`: it served badly. `disabled`: an admin does not want it.
 */
export const Stage = Type.Enum(
  [
    "discovered",
    "waiting",
    "verified",
    "staged",
    "standby",
    "starting",
    "probing",
    "live",
    "draining",
    "stopped",
    "rejected",
    "failed",
    "quarantined",
    "disabled",
  ],
  { title: "PluginStage" },
);
export type Stage = Static<typeof Stage>;

/** Stages of versions that serve, will serve, or finish what they began. */
export const presentStages: readonly Stage[] = ["starting", "probing", "live", "standby", "draining"];

/** A version that has no process is one of these; which one follows from what is known of it, at any time. */
const idle = ["standby", "rejected", "failed", "quarantined", "disabled"] as const;

/** By stage: the stages that may follow. */
export const transitions: Readonly<Record<Stage, readonly Stage[]>> = {
  // A content that runs is known from the store as well; then its record begins with its start.
  discovered: ["waiting", "verified", "rejected", "starting"],
  waiting: ["verified", "rejected"],
  verified: ["staged", "rejected"],
  staged: ["starting", ...idle],
  starting: ["probing", "live", "standby", "draining", "failed"],
  probing: ["live", "standby", "draining", "failed"],
  // An instance that is lost is started again, whatever the version is meanwhile.
  live: ["standby", "starting", "draining"],
  draining: ["starting", "stopped"],
  stopped: ["starting", ...idle],
  standby: ["live", "starting", "draining", ...idle],
  rejected: ["starting", ...idle],
  failed: ["starting", "live", "draining", ...idle],
  quarantined: ["starting", ...idle],
  disabled: ["starting", ...idle],
};

/** Whether a version may go from one stage to another. The same stage may have another reason. */
export function mayFollow(from: Stage, to: Stage): boolean {
  return from === to || transitions[from].includes(to);
}
