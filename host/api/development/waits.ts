import type { PluginState, Stage } from "../../plugins/plugin-state.js";
import { tellLongWaits, type Wait } from "../../system/long-waits.js";
import type { Development } from "./development.js";

/** Descriptions of stages without a reason; a long start has one. */
const doings = new Map<Stage, string>([
  ["discovered", "Its files are being read."],
  ["waiting", "Its files are still being written."],
  ["verified", "It is being bundled."],
  ["staged", "It is about to be started."],
]);

/** Logs once what a save waits for if it is not live after about a second. Returns a function that stops this. */
export function tellWaits(development: Development): () => void {
  return tellLongWaits(
    () =>
      development
        .versions()
        .map(waitOf)
        .find((each) => each !== undefined),
    (text) => development.tellWait(text),
  );
}

/** Undefined for a version that is not starting. `isLong`: it has taken a second already. */
function waitOf({ name, version, hash, stage, reason }: PluginState): Wait | undefined {
  const isStart = stage === "starting" || stage === "probing";
  const doing = isStart ? reason : doings.has(stage) ? (reason ?? doings.get(stage)) : undefined;
  if (doing === undefined) return undefined;
  const label = [name ?? "The plugin", version].filter((each) => each !== undefined).join(" ");
  // The reason of an incomplete content changes with each file that arrives.
  const key = JSON.stringify([hash, stage, isStart ? reason : undefined]);
  return { key, isLong: isStart, text: `${label} is not live yet. ${doing}` };
}
