/** How deep and how large values from outside are. */

/**
 * Objects and arrays inside each other. Deeper than any real project (each folder takes two levels), and few enough
 * that nothing that walks a value by recursion runs out of stack.
 */
export const deepestNesting = 200;

/** Whether a value is nested deeper than `deepestNesting`. Without recursion, because it guards what recurses. */
export function isTooDeep(value: unknown): boolean {
  let level = containers([value]);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= deepestNesting) return true;
    level = level.flatMap((each) => containers(Object.values(each)));
  }
  return false;
}

/** Whether objects and arrays hold more than `count` values in all. */
export function isLarger(value: unknown, count: number): boolean {
  let left = count;
  let level = containers([value]);
  while (level.length > 0) {
    const inner: object[] = [];
    for (const each of level) {
      const members = Object.values(each);
      left -= members.length;
      if (left < 0) return true;
      inner.push(...containers(members));
    }
    level = inner;
  }
  return false;
}

function containers(values: readonly unknown[]): object[] {
  return values.filter((value): value is object => typeof value === "object" && value !== null);
}
