/**
 * Storage of the browser. It may refuse all access if the user allows no site data, and any text if it is full: the page then
 * works without stored data.
 */
export class BrowserStorage {
  constructor(private readonly area: () => Storage) {}

  /** Undefined without an entry. */
  read(name: string): string | undefined {
    return this.attempt((area) => area.getItem(name)) ?? undefined;
  }

  /** False if the browser refuses; the earlier entry is then removed. */
  keep(name: string, text: string): boolean {
    const isKept = this.attempt((area) => {
      area.setItem(name, text);
      return true;
    });
    if (isKept !== true) this.forget(name);
    return isKept === true;
  }

  forget(name: string): void {
    this.attempt((area) => area.removeItem(name));
  }

  /** The keys of all entries. */
  names(): string[] {
    return this.attempt((area) => Object.keys(area)) ?? [];
  }

  private attempt<Result>(act: (area: Storage) => Result): Result | undefined {
    try {
      return act(this.area());
    } catch {
      return undefined;
    }
  }
}

/** Lives as long as the tab. */
export const tabStorage = new BrowserStorage(() => sessionStorage);
/** Shared by all tabs, and permanent. */
export const lastingStorage = new BrowserStorage(() => localStorage);
