/** Limits for the depth and size of external values. */

/**
 * Maximum nesting of objects and arrays. Deeper than any real project (each folder takes two levels), and small enough
 * for recursive functions not to run out of stack.
 */
export const deepestNesting = 200;

/** Whether a value is nested deeper than `deepestNesting`. Not recursive, because it protects recursive functions. */
export function isTooDeep(value: unknown): boolean {
  let level = containers([value]);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= deepestNesting) return true;
    level = level.flatMap((each) => containers(Object.values(each)));
  }
  return false;
}

/** Whether objects and arrays contain more than `count` values in total. */
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
