/** Links of one sheet: where they stand and where they lead. */

/** Excel takes no more in one sheet. */
const mostLinks = 65_530;
const longestTarget = 2079;

/** Collects the links of a sheet while its rows are written; each address is kept once. */
export class SheetLinks {
  readonly #targets = new Map<string, string>();
  readonly #places: { cell: string; id: string }[] = [];

  /** Whether the cell leads there: absolute http, https and mailto addresses do, as far as there is room. */
  add(cell: string, link: string): boolean {
    const target = targetOf(link);
    if (target === undefined || this.#places.length === mostLinks) return false;
    const id = this.#targets.get(target) ?? `link${this.#targets.size + 1}`;
    this.#targets.set(target, id);
    this.#places.push({ cell, id });
    return true;
  }

  /** In the order of the rows. */
  get places(): readonly { readonly cell: string; readonly id: string }[] {
    return this.#places;
  }

  /** Addresses by the ids of their relationships. */
  get targets(): Iterable<readonly [target: string, id: string]> {
    return this.#targets;
  }
}

function targetOf(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const { href, protocol } = new URL(link);
  const isAllowed = ["http:", "https:", "mailto:"].includes(protocol);
  return isAllowed && href.length <= longestTarget ? href : undefined;
}
