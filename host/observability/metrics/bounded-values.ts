/** The label value of all values beyond the limit. */
export const others = "other";

const longestValue = 100;

/** Label values chosen by plugins: only the first ones of each owner count, which bounds the number of series. */
export class BoundedValues {
  private readonly values = new Map<string, Set<string>>();

  /** `limit` values for each owner. */
  constructor(private readonly limit: number) {}

  /** The value, or `others` for one too many. */
  of(owner: string, value: string): string {
    const known = this.values.get(owner) ?? new Set();
    if (known.has(value)) return value;
    if (known.size >= this.limit || value.length > longestValue) return others;
    known.add(value);
    this.values.set(owner, known);
    return value;
  }

  /** Forgets the values of an owner. */
  forget(owner: string): void {
    this.values.delete(owner);
  }
}
