/** Calls that the strict check refuses: the same data gives the same pages. */

/** The message for a call that asks for the current time. */
export function noTime(call: string): string {
  return `${call} is refused, there is no current time: use d.data.generated, the time of the report`;
}

/** The message for a call of `Math.random`. */
export const noChance = "Math.random() is refused: the same data gives the same pages";

/** By what a compartment says of them. */
export const refusedCalls: ReadonlyMap<string, string> = new Map([
  ["secure mode Calling new %SharedDate%() with no arguments throws", noTime("new Date()")],
  ["secure mode Calling %SharedDate% constructor as a function throws", noTime("Date()")],
  ["secure mode Calling %SharedDate%.now() throws", noTime("Date.now()")],
  ["secure mode %SharedMath%.random() throws", noChance],
]);
