/** Names that may be used only once in the common file. */
export class TakenNames {
  private readonly taken: Set<string>;

  /** `taken` are those of the report, which keep their names. */
  constructor(taken: Iterable<string>) {
    this.taken = new Set(taken);
  }

  /** For one attachment: gives each of its names the one that it has from now on, the same each time. */
  ofAttachment(): (name: string) => string {
    const given = new Map<string, string>();
    return (name) => {
      let now = given.get(name);
      if (now !== undefined) return now;
      now = name;
      for (let number = 2; this.taken.has(now); number++) now = `${name}-${number}`;
      this.taken.add(now);
      given.set(name, now);
      return now;
    };
  }
}
