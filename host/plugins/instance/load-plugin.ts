import type { Plugin } from "@slipway/sdk";

/** The plugin that a bundle exports. Throws with what is missing. */
export async function loadPlugin(entry: string): Promise<Plugin> {
  const module: Record<string, unknown> = await import(entry);
  const plugin = module["default"];
  if (!isPlugin(plugin)) {
    throw new Error(
      "the entry's default export is no plugin; it should be `export default definePlugin({ ... })`",
    );
  }
  return plugin;
}

function isPlugin(value: unknown): value is Plugin {
  if (typeof value !== "object" || value === null) return false;
  return (
    "kind" in value &&
    value.kind === "slipway-plugin" &&
    "setup" in value &&
    typeof value.setup === "function"
  );
}
