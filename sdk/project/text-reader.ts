import type { Suppression } from "../errors.js";
import type { ProjectDocument, Texts } from "./document.js";
import { type ChosenText, chooseText } from "./text-choice.js";

/** Cache of successfully read texts by project and languages, shared by all documents of a project. */
const known = new WeakMap<ProjectDocument, Map<string, WeakMap<Texts, string>>>();

/**
 * Reads texts in the languages of a document, best first. Malformed rich text is reported as `item-text-error` (of an
 * item) or `project-text-error`; the next best language replaces it, if any.
 */
export class TextReader {
  private readonly read: WeakMap<Texts, string>;

  constructor(
    project: ProjectDocument,
    private readonly languages: readonly string[],
    private readonly suppress: (suppression: Suppression) => void,
  ) {
    const ofProject = known.get(project) ?? new Map<string, WeakMap<Texts, string>>();
    known.set(project, ofProject);
    const key = languages.join(" ");
    this.read = ofProject.get(key) ?? new WeakMap<Texts, string>();
    ofProject.set(key, this.read);
  }

  /** The text of one field of an item. */
  ofItem(texts: Texts | undefined, itemId: string, field: string): string {
    if (texts === undefined || texts.length === 0) return "";
    return this.read.get(texts) ?? this.choose(texts, "item", field, itemId);
  }

  /** A text of the project or of its prices. */
  ofProject(texts: Texts | undefined, field: string): string {
    if (texts === undefined || texts.length === 0) return "";
    return this.read.get(texts) ?? this.choose(texts, "project", field, undefined);
  }

  private choose(texts: Texts, owner: "item" | "project", field: string, itemId: string | undefined): string {
    const chosen = chooseText(texts, this.languages);
    if (chosen.unreadable.length === 0) this.read.set(texts, chosen.value);
    for (const error of chosen.unreadable) this.report(error, owner, field, itemId);
    return chosen.value;
  }

  private report(
    { message, text }: ChosenText["unreadable"][number],
    owner: "item" | "project",
    field: string,
    itemId: string | undefined,
  ): void {
    const where = itemId === undefined ? "Project" : `Item ${itemId}`;
    this.suppress({
      id: `${owner}-text-error`,
      message: `${where}, field "${field}": ${message}`,
      cause: [message],
      additionalInformation: { ...(itemId === undefined ? {} : { itemId }), field, lang: text.lang },
    });
  }
}
