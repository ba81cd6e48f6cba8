import { LRUCache } from "lru-cache";
import type { StoreState } from "../template-service.js";
import type { StoreAccess } from "./store-address.js";
import { type StoreOutcome, shownStore } from "./store-catalogue.js";

const mostStores = 100;

/** The most recently used stores. */
export class StoreStates {
  private readonly states = new LRUCache<string, StoreState>({ max: mostStores });

  note(access: StoreAccess, { templates, omitted, failure, checked }: StoreOutcome): void {
    const url = shownStore(access);
    const leftOut = omitted === 0 ? undefined : `${omitted} of its templates are unusable; see the log.`;
    this.states.set(url, {
      url,
      state: failure === undefined ? "ok" : "failed",
      templates: templates.length,
      error: failure?.message ?? leftOut,
      checked: new Date(checked).toISOString(),
    });
  }

  /** The least recently used first. */
  list(): StoreState[] {
    return [...this.states.values()].reverse();
  }
}
