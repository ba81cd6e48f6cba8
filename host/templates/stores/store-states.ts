import { type Static, Type } from "@slipway/sdk";
import { orUndefined } from "../../system/or-undefined.js";
import type { StoreAccess } from "./store-address.js";
import { type StoreOutcome, shownStore } from "./store-catalogue.js";

/** The outcome of the last request to a store, for any token. */
export const StoreState = Type.Object(
  {
    url: Type.String({ description: "Without credentials." }),
    state: Type.Enum(["ok", "failed"]),
    templates: Type.Integer({ minimum: 0, description: "How many it gave to who asked last." }),
    error: orUndefined(
      Type.String({ description: "What kept it from giving more; the log names the templates." }),
    ),
    checked: Type.String({ format: "date-time", description: "UTC." }),
  },
  { title: "StoreState" },
);
export type StoreState = Static<typeof StoreState>;

const mostStores = 100;

/** The most recently used stores. */
export class StoreStates {
  private readonly states = new Map<string, StoreState>();

  note(access: StoreAccess, { templates, omitted, failure, checked }: StoreOutcome): void {
    const url = shownStore(access);
    const leftOut = omitted === 0 ? undefined : `${omitted} of its templates are unusable; see the log.`;
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
