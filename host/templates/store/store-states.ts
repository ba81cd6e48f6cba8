import type { StoreAccess } from "./store-address.js";
import { type StoreOutcome, shownStore } from "./store-catalogue.js";

/** What came of asking a store the last time, whoever asked. */
export interface StoreState {
  /** Without credentials. */
  url: string;
  state: "ok" | "failed";
  /** How many it gave to who asked last. */
  templates: number;
  /** What kept it from giving more; the log names the templates. */
  error: string | undefined;
  /** ISO 8601, UTC. */
  checked: string;
}

const mostStores = 100;

/** The stores that were asked; of too many, those that were asked last. */
export class StoreStates {
  private readonly states = new Map<string, StoreState>();

  note(access: StoreAccess, { templates, omitted, failure, checked }: StoreOutcome): void {
    const url = shownStore(access);
    const leftOut =
      omitted === 0 ? undefined : `${omitted} of its templates cannot be used; the log says why.`;
    this.states.delete(url);
    this.states.set(url, {
      url,
      state: failure === undefined ? "ok" : "failed",
      templates: templates.length,
      error: failure?.message ?? leftOut,
      checked: new Date(checked).toISOString(),
    });
    const [oldest] = this.states.keys();
    if (this.states.size > mostStores && oldest !== undefined) this.states.delete(oldest);
  }

  list(): StoreState[] {
    return [...this.states.values()];
  }
}
