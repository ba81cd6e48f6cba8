/** Names of discounts and surcharges (OEX reference, section 6.9: `vConditionText`). */
import { chooseText, labelLanguages, type ProjectDocument, type Texts } from "@slipway/sdk";
import { FieldRepairs, type Repairs } from "../repair/repairs.js";

const longestName = 35;

/** Names in the language of the document, each read and repaired only once. */
export class LineTexts {
  private readonly languages: readonly string[];
  private readonly fields: FieldRepairs;
  private readonly known = new WeakMap<Texts, string>();
  private readonly fitting = new Map<string, string>();

  constructor(
    project: ProjectDocument,
    locale: string,
    private readonly repairs: Repairs,
  ) {
    this.languages = labelLanguages(project, locale);
    this.fields = new FieldRepairs(repairs);
  }

  /** At most 35 characters on one line; empty without a name. */
  of(label: Texts): string {
    const known = this.known.get(label);
    if (known !== undefined) return known;
    const { value, unreadable } = chooseText(label, this.languages);
    for (const { text, message } of unreadable) {
      this.repairs.report({
        field: "name of a price line",
        value: text.value,
        change: `left out: ${message}`,
      });
    }
    const name = this.fit(value);
    this.known.set(label, name);
    return name;
  }

  private fit(value: string): string {
    const known = this.fitting.get(value);
    if (known !== undefined) return known;
    const name = this.fields.line("name of a price line", value, longestName) ?? "";
    this.fitting.set(value, name);
    return name;
  }
}
