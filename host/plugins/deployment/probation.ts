/** Requests that a version has answered. */
export interface Outcomes {
  answered: number;
  /** Of these, how many failed by its fault. */
  failed: number;
}

/** Fewer failures say nothing. */
const fewest = 5;
/** Of a version's own answers; below, nobody is rolled back. */
const lowestRate = 0.1;
/** How much more often than its predecessor a version has to fail. */
const factor = 3;

/** Why a version failed clearly more often than the one that it replaced; undefined when it did not. */
export function failsMoreOften(own: Outcomes, predecessor: Outcomes): string | undefined {
  const rate = rateOf(own);
  if (own.failed < fewest || rate < lowestRate || rate < factor * rateOf(predecessor)) return undefined;
  return (
    `${own.failed} of its first ${own.answered} requests failed, of the version before ` +
    `${predecessor.failed} of ${predecessor.answered}.`
  );
}

function rateOf({ answered, failed }: Outcomes): number {
  return answered === 0 ? 0 : failed / answered;
}
