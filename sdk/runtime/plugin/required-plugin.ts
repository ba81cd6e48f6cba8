import type { Plugin } from "../../plugin/plugin.js";

/** The plugin that an entry exports. Throws with what is missing. */
export function requiredPlugin(value: unknown): Plugin {
  if (isPlugin(value)) return value;
  throw new Error(
    "the entry's default export is no plugin; it should be `export default definePlugin({ ... })`",
  );
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
