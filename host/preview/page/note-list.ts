import { element } from "./element.js";
import type { SuppressedError } from "./host-answers.js";

/** What the host left out of a report or wants to be known of its template, behind a button that says how much that is. */
export class NoteList {
  readonly element = element("details", { class: "notes", hidden: true });
  private readonly count = element("summary");
  private readonly list = element("ul");

  constructor() {
    this.element.append(this.count, this.list);
  }

  show(errors: readonly SuppressedError[], warnings: readonly string[]): void {
    const lines = [
      ...errors.map((error) =>
        note(error.scopes.includes("ERROR") ? "error" : "warn", error.message, error.id),
      ),
      ...warnings.map((warning) => note("warn", warning, "template")),
    ];
    this.element.hidden = lines.length === 0;
    this.count.textContent = lines.length === 1 ? "1 note" : `${lines.length} notes`;
    this.list.replaceChildren(...lines);
  }
}

function note(kind: "error" | "warn", message: string, source: string): HTMLElement {
  return element("li", { "data-kind": kind }, message, " ", element("code", {}, source));
}
