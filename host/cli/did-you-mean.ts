import { editDistance } from "../edit-distance.js";

const mostNames = 10;

/** What helps after a name that there is not: the one that was probably meant, or else what there is. Begins with a blank. */
export function didYouMean(given: string, known: readonly string[]): string {
  const names = [...new Set(known)].sort();
  const wanted = given.toLowerCase();
  const near = names
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((one, other) => one.distance - other.distance);
  const [nearest] = near;
  if (nearest !== undefined) return ` Did you mean ${nearest.name}?`;
  if (names.length === 0) return " There are none.";
  const more = names.length > mostNames ? ", …" : "";
  return ` There are: ${names.slice(0, mostNames).join(", ")}${more}.`;
}
