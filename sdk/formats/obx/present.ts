/** Optional members of the project document are absent, never undefined. */

/** T without the members that may be undefined, and those as optional ones. */
export type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The members that have a value. */
export function present<T extends object>(members: T): Present<T> {
  const kept = Object.entries(members).filter(([, value]) => value !== undefined);
  // The compiler cannot see that the filter removes exactly what `Present` leaves out.
  return Object.fromEntries(kept) as Present<T>;
}

/** The array, or undefined if it is empty. */
export function ifAny<T>(list: T[]): T[] | undefined {
  return list.length === 0 ? undefined : list;
}

// How exactly a decimal is written.

/** The number of digits behind the point: 2 for "1052.40". */
export function scaleOf(decimal: string): number {
  const point = decimal.indexOf(".");
  return point < 0 ? 0 : decimal.length - point - 1;
}
