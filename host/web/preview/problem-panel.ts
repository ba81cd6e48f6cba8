import { element } from "./element.js";
import type { Problem } from "./host-answers.js";

/** Says over the pages what is wrong, and where. Hidden while nothing is. */
export class ProblemPanel {
  readonly element = element("div", { class: "problems", role: "alert", hidden: true });

  /** Without problems it says the title alone; without a title it goes. */
  show(title: string | undefined, problems: readonly Problem[] = []): void {
    const isShown = title !== undefined;
    this.element.hidden = !isShown;
    this.element.replaceChildren(
      ...(isShown ? [element("h2", {}, title), ...problems.map((problem) => problemElement(problem))] : []),
    );
  }
}

function problemElement({ file, line, column, message, excerpt }: Problem): HTMLElement {
  const place = [file, line, column].filter((part) => part !== undefined && part !== null).join(":");
  return element(
    "article",
    { class: "problem" },
    element("p", { class: "place" }, element("code", {}, place)),
    element("p", { class: "message" }, message),
    excerpt === undefined ? undefined : excerptElement(excerpt, line, column),
  );
}

/** The line with its number, and a mark below the column. */
function excerptElement(
  excerpt: string,
  line: number | null | undefined,
  column: number | undefined,
): HTMLElement {
  const number = line === undefined || line === null ? "" : String(line);
  const code = element("code", {}, excerpt);
  if (column !== undefined) {
    const before = excerpt.slice(0, column - 1).replaceAll(/[^\t]/g, " ");
    code.append(`\n${before}`, element("span", { class: "mark" }, "^"));
  }
  return element("pre", { class: "excerpt", "data-line": number }, code);
}
