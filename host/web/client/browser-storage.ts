/**
 * What the browser keeps for the pages. It may refuse all of it where its user allows no site data, and any text for which it has
 * no room: then the page works as if nothing had been kept.
 */
export class BrowserStorage {
  constructor(private readonly area: () => Storage) {}

  /** Undefined where nothing is kept under the name. */
  read(name: string): string | undefined {
    return this.attempt((area) => area.getItem(name)) ?? undefined;
  }

  /** False where the browser refuses it; what was kept under the name before is removed then. */
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

  /** The names under which something is kept. */
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

/** Kept as long as the tab. */
export const tabStorage = new BrowserStorage(() => sessionStorage);
/** Kept for all tabs, and the next time. */
export const lastingStorage = new BrowserStorage(() => localStorage);
