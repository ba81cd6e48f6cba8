import type { SnapshotReference } from "../snapshots/snapshot.js";
import { earlierOf, type PluginsMemory } from "./rollout-state.js";

/** All contents that may be wanted again. */
export function rememberedReferences({ places, plugins }: PluginsMemory): SnapshotReference[] {
  const ofPlugins = Object.entries(plugins).flatMap(([name, { kept, pins }]) =>
    [...kept, ...Object.values(pins)].map(({ version, hash }) => ({ name, version, hash })),
  );
  return [...Object.values(places).flatMap((place) => earlierOf(place, place.name)), ...ofPlugins];
}
