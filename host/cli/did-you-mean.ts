import { similarName } from "@slipway/sdk";

const mostNames = 10;

/** What helps after a name that there is not: the one that was probably meant, or else what there is. Begins with a blank. */
export function didYouMean(given: string, known: readonly string[]): string {
  const names = [...new Set(known)].sort();
  const nearest = similarName(given, names);
  if (nearest !== undefined) return ` Did you mean ${nearest}?`;
  if (names.length === 0) return " There are none.";
  const more = names.length > mostNames ? ", …" : "";
  return ` There are: ${names.slice(0, mostNames).join(", ")}${more}.`;
}
