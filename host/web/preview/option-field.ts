import { element, icon } from "./element.js";
import type { OptionField, OptionValue } from "./host-answers.js";

/** One option as a form field. */
export interface FieldControl {
  /** Label and field. */
  element: HTMLElement;
  /** What it says now; undefined for what is no value, such as half a number. */
  value(): OptionValue | undefined;
  set(value: OptionValue): void;
}

let count = 0;

/**
 * A check box, a list of choices, a number or a text. `changed` is called with true where somebody is still typing, and
 * `reset` by the button that each field has for as long as it is not as it was.
 */
export function fieldControl(
  field: OptionField,
  changed: (isTyping: boolean) => void,
  reset: () => void,
): FieldControl {
  count += 1;
  const id = `option-${count}`;
  const { input, value, set } = inputOf(field, id);
  const isText = input instanceof HTMLInputElement && input.type !== "checkbox";
  input.addEventListener(isText ? "input" : "change", () => changed(isText));
  const back = element(
    "button",
    {
      type: "button",
      class: "field-reset",
      "aria-label": `Reset ${field.label}`,
      title: "Reset to the default",
    },
    icon("M3 3v4h4M3.500 7A5 5 0 1 1 3 9.500"),
  );
  back.addEventListener("click", () => {
    reset();
    input.focus();
  });
  const label = element("label", { for: id }, field.label);
  const kind = field.type === "boolean" ? "field field-check" : "field";
  const row = field.type === "boolean" ? [input, label, back] : [label, back, input];
  return { element: element("div", { class: kind, "data-option": field.key }, ...row), value, set };
}

interface Input extends Pick<FieldControl, "value" | "set"> {
  input: HTMLInputElement | HTMLSelectElement;
}

function inputOf(field: OptionField, id: string): Input {
  if (field.type === "boolean") return checkBox(id);
  if (field.options !== undefined) return choices(field, id);
  return field.type === "int" ? number(id) : text(id);
}

function checkBox(id: string): Input {
  const input = element("input", { type: "checkbox", id });
  return {
    input,
    value: () => input.checked,
    set: (value) => {
      input.checked = value === true;
    },
  };
}

/** Without a value there is an empty choice, because the template may have no default. */
function choices(field: OptionField, id: string): Input {
  const input = element("select", { id });
  for (const { key, label } of field.options ?? []) input.append(element("option", { value: key }, label));
  const none = element("option", { value: "" }, "—");
  return {
    input,
    value: () => (none.selected ? null : field.type === "int" ? Number(input.value) : input.value),
    set: (value) => {
      const isKnown = [...input.options].some((each) => each !== none && each.value === String(value));
      if (isKnown) {
        none.remove();
        input.value = String(value);
      } else {
        input.prepend(none);
        none.selected = true;
      }
    },
  };
}

function number(id: string): Input {
  const input = element("input", { type: "number", id, step: "1", inputmode: "numeric" });
  return {
    input,
    value: () => (input.validity.valid ? (input.value === "" ? null : Number(input.value)) : undefined),
    set: (value) => {
      input.value = value === null ? "" : String(value);
    },
  };
}

function text(id: string): Input {
  const input = element("input", { type: "text", id, spellcheck: "false", autocomplete: "off" });
  return {
    input,
    value: () => input.value,
    set: (value) => {
      input.value = value === null ? "" : String(value);
    },
  };
}
