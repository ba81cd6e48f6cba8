import type { SnapshotReference } from "../snapshots/snapshot.js";
import type { PluginsMemory } from "./standing.js";

/** All contents that may be wanted again. */
export function rememberedReferences({ places, plugins }: PluginsMemory): SnapshotReference[] {
  const ofPlugins = Object.entries(plugins).flatMap(([name, { kept, pins }]) =>
    [...kept, ...Object.values(pins)].map(({ version, hash }) => ({ name, version, hash })),
  );
  return [...Object.values(places), ...ofPlugins];
}
