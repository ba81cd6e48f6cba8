import type { PluginGrants } from "./plugin-grants.js";

/** A permission that a plugin asks for and lacks. */
interface AskedPermission {
  permission: Exclude<keyof PluginGrants, "services">;
  /** The server, folder or variable. */
  value?: string;
}

/** What several versions of a plugin lack, each once. */
export function missingIn<Missing extends AskedPermission>({
  versions,
}: {
  versions: readonly { missingGrants: readonly Missing[] }[];
}): Missing[] {
  const all = versions.flatMap(({ missingGrants }) => missingGrants);
  return [...new Map(all.map((each) => [`${each.permission} ${each.value}`, each])).values()];
}

/**
 * Grants with all that is asked for. `folders`: absolute paths by the names that the plugin uses. Throws a
 * sentence for users of the command line when one is missing.
 */
export function withGranted(
  grants: PluginGrants,
  asked: readonly AskedPermission[],
  folders: Readonly<Record<string, string>>,
): PluginGrants {
  const all: PluginGrants = structuredClone(grants);
  for (const { permission, value = "" } of asked) {
    if (permission === "network" || permission === "environment")
      all[permission] = [...(all[permission] ?? []), value];
    else if (permission === "read" || permission === "write") {
      const path = Object.hasOwn(folders, value) ? folders[value] : undefined;
      if (path === undefined) throw new Error(`Say where the folder ${value} is: --folder ${value}=/path.`);
      all[permission] = { ...all[permission], [value]: path };
    } else all[permission] = true;
  }
  return all;
}
