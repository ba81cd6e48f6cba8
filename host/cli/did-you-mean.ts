import { similarName } from "@slipway/sdk";

const mostNames = 10;

/** A suggestion after an unknown name: the most similar name, or the existing ones. Begins with a space. */
export function didYouMean(given: string, known: readonly string[]): string {
  const names = [...new Set(known)].sort();
  const nearest = similarName(given, names);
  if (nearest !== undefined) return ` Did you mean ${nearest}?`;
  if (names.length === 0) return " None exist.";
  const more = names.length > mostNames ? ", …" : "";
  return ` There are: ${names.slice(0, mostNames).join(", ")}${more}.`;
}
