import type { Plugin } from "@slipway/sdk";
import { requiredPlugin } from "@slipway/sdk/runtime";

/** The plugin that a bundle exports. Throws with what is missing. */
export async function loadPlugin(entry: string): Promise<Plugin> {
  const module: Record<string, unknown> = await import(entry);
  return requiredPlugin(module["default"]);
}
