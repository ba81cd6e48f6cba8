import { element } from "./element.js";
import type { SuppressedError } from "./host-answers.js";

/** What the host left out of a report or wants to be known of its template, behind a button that says how much that is. */
export class NoteList {
  readonly element = element("details", { class: "notes", hidden: true });
  private readonly count = element("summary");
  private readonly list = element("ul");
  private errors: readonly SuppressedError[] = [];
  private warnings: readonly string[] = [];

  constructor() {
    this.element.append(this.count, this.list);
  }

  /** What the report lacks. */
  showErrors(errors: readonly SuppressedError[]): void {
    this.errors = errors;
    this.show();
  }

  /** What may be wrong with the template. */
  showWarnings(warnings: readonly string[]): void {
    this.warnings = warnings;
    this.show();
  }

  private show(): void {
    const lines = [
      ...this.errors.map((error) =>
        note(error.scopes.includes("ERROR") ? "error" : "warn", error.message, error.id),
      ),
      ...this.warnings.map((warning) => note("warn", warning, "template")),
    ];
    this.element.hidden = lines.length === 0;
    this.count.textContent = lines.length === 1 ? "1 note" : `${lines.length} notes`;
    this.list.replaceChildren(...lines);
  }
}

function note(kind: "error" | "warn", message: string, source: string): HTMLElement {
  return element("li", { "data-kind": kind }, message, " ", element("code", {}, source));
}
