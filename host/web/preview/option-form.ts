import { element } from "./element.js";
import type { OptionField, OptionValue, TemplateOptions } from "./host-answers.js";
import { type FieldControl, fieldControl } from "./option-field.js";

/** Milliseconds without a further key before a text counts. */
const typingPause = 250;

/** The form of a template's options. It knows what a report gets without it, and hands on only what is different. */
export class OptionForm {
  readonly element = element("form", { class: "options", autocomplete: "off" });
  private readonly controls = new Map<string, { field: OptionField; control: FieldControl }>();
  private usual: Readonly<Record<string, OptionValue>> = {};
  private chosen = new Map<string, OptionValue>();
  private shape = "";

  /** `changed` is called when somebody has changed a value. */
  constructor(private readonly changed: () => void) {
    this.element.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Shows these options; values that fit none of them are dropped. Fields that stay as they were keep the focus. */
  show(
    options: TemplateOptions,
    usual: Readonly<Record<string, OptionValue>>,
    chosen: ReadonlyMap<string, string>,
  ): void {
    const shape = JSON.stringify(options.categories);
    if (shape !== this.shape) this.build(options);
    this.shape = shape;
    this.usual = usual;
    this.chosen = new Map();
    for (const [key, { field }] of this.controls) {
      const text = chosen.get(key);
      const value = text === undefined ? undefined : readText(field, text);
      if (value !== undefined && value !== this.usualValue(field)) this.chosen.set(key, value);
    }
    this.refill();
  }

  /** Values that are not the usual ones. */
  values(): Record<string, OptionValue> {
    return Object.fromEntries(this.chosen);
  }

  /** The same as texts, which `show` understands. */
  texts(): Map<string, string> {
    return new Map([...this.chosen].map(([key, value]) => [key, value === null ? "" : String(value)]));
  }

  /** Everything as usual again. */
  reset(): void {
    this.chosen.clear();
    this.refill();
    this.changed();
  }

  private build({ categories }: TemplateOptions): void {
    this.controls.clear();
    const groups = categories
      .filter(({ fields }) => fields.length > 0)
      .map(({ label, fields }) =>
        element("fieldset", {}, element("legend", {}, label), ...fields.map((field) => this.add(field))),
      );
    const none = element("p", { class: "quiet" }, "This template has no options.");
    this.element.replaceChildren(...(groups.length > 0 ? groups : [none]));
  }

  private add(field: OptionField): HTMLElement {
    let pending: ReturnType<typeof setTimeout> | undefined;
    const take = (isTyping: boolean) => {
      clearTimeout(pending);
      pending = setTimeout(() => this.take(field, control), isTyping ? typingPause : 0);
    };
    const control = fieldControl(field, take, () => {
      this.chosen.delete(field.key);
      this.refill();
      this.changed();
    });
    this.controls.set(field.key, { field, control });
    return control.element;
  }

  private take(field: OptionField, control: FieldControl): void {
    const value = control.value();
    control.element.toggleAttribute("data-wrong", value === undefined);
    if (value === undefined) return;
    const usual = this.usualValue(field);
    // An empty field of a text that has no value is none.
    if (value === usual || (value === "" && usual === null)) this.chosen.delete(field.key);
    else this.chosen.set(field.key, value);
    this.mark();
    this.changed();
  }

  private usualValue(field: OptionField): OptionValue {
    return this.usual[field.key] ?? field.default ?? null;
  }

  private refill(): void {
    for (const [key, { field, control }] of this.controls) {
      const value = this.chosen.has(key) ? (this.chosen.get(key) ?? null) : this.usualValue(field);
      // Only what differs, so that the cursor of somebody who types stays where it is.
      if (control.value() !== value) control.set(value);
    }
    this.mark();
  }

  private mark(): void {
    for (const [key, { control }] of this.controls)
      control.element.toggleAttribute("data-changed", this.chosen.has(key));
    this.element.toggleAttribute("data-changed", this.chosen.size > 0);
  }
}

/** A text of the address as a value; undefined when it is none. */
function readText(field: OptionField, text: string): OptionValue | undefined {
  if (field.options !== undefined && text !== "" && !field.options.some(({ key }) => key === text))
    return undefined;
  if (field.type === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (field.type === "string") return field.options !== undefined && text === "" ? null : text;
  if (text === "") return null;
  return /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}
