import { element } from "./element.js";
import type { TemplateEvent } from "./host-answers.js";
import type { RunTimes } from "./report-run.js";

/** What the page is doing, in one quiet line, with how long it took from a save to the pages. */
export class StatusLine {
  readonly element = element("p", { class: "status-line", role: "status" });
  private readonly time = element("span", { class: "time" });
  private readonly text = element("span", {}, "Opening …");
  private draws = 0;

  constructor() {
    this.element.append(element("span", { class: "lamp", "aria-hidden": "true" }), this.text, this.time);
    this.element.dataset["state"] = "busy";
  }

  busy(): void {
    this.element.dataset["state"] = "busy";
  }

  /** The host is away. */
  lost(): void {
    this.say("lost", "The host is unreachable; waiting for it");
  }

  broken(): void {
    this.say("broken", "Not up to date");
  }

  /** The pages are as they should be. `cause` is the change that they are shown for, where it was one. */
  done(pages: number, times: RunTimes, cause: TemplateEvent | undefined): void {
    this.say("done", pages === 1 ? "1 page" : `${pages} pages`);
    this.draws += 1;
    this.element.dataset["draws"] = String(this.draws);
    this.element.title = titleOf(times);
    const steps = { ...times, ...servedTime(cause) };
    performance.mark("slipway-drawn", { detail: { ...steps, version: cause?.version } });
    const total = Object.values(steps).reduce((sum, each) => sum + each, 0);
    this.time.textContent = `${Math.round(total)} ms ${"served" in steps ? "after the save" : ""}`.trim();
  }

  private say(state: string, text: string): void {
    this.element.dataset["state"] = state;
    this.text.textContent = text;
    this.time.textContent = "";
  }
}

function titleOf({ generated, fetched, drawn }: RunTimes): string {
  const shown = (milliseconds: number) => `${Math.round(milliseconds)} ms`;
  return `Made in ${shown(generated)}, fetched in ${shown(fetched)}, drawn in ${shown(drawn)}`;
}

/** Until the host served the version, by its own clock; nothing for what was saved long before. */
function servedTime(cause: TemplateEvent | undefined): { served: number } | undefined {
  if (cause?.saved === undefined) return undefined;
  const served = Date.parse(cause.time) - Date.parse(cause.saved);
  return served >= 0 && served < 10_000 ? { served } : undefined;
}
