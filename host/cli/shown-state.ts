import type { PluginState } from "../plugins/plugin-state.js";
import { printable } from "../system/terminal-text.js";

/** Where a version stands, and why, on one line. */
export function shownState({ name, version, folder, stage, releases, reason }: PluginState): string {
  const label = name === undefined ? folder : `${name}@${version ?? "?"}`;
  const where = releases.length === 0 ? "" : ` under ${releases.join(", ")}`;
  return printable(`${label} is ${stage}${where}${reason === undefined ? "." : `: ${reason}`}`);
}
