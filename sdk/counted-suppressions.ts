import type { Suppression } from "./errors.js";

/** A request can name 100,000 things that there are not; an answer that repeats them all helps nobody. */
const mostTold = 100;

/** Suppresses an error for each value, at most 100; the last one says in `additionalInformation.more` how many are left out. */
export function suppressEach<Value>(
  values: readonly Value[],
  errorOf: (value: Value) => Suppression,
  suppress: (suppression: Suppression) => void,
): void {
  const told = values.slice(0, mostTold).map(errorOf);
  const last = values.length > mostTold ? told.pop() : undefined;
  for (const error of told) suppress(error);
  if (last === undefined) return;
  const more = values.length - mostTold;
  suppress({
    ...last,
    message: `${last.message}; ${more} more like it are not listed`,
    additionalInformation: { ...last.additionalInformation, more },
  });
}
