import type { TemplateOptions } from "@slipway/sdk";
import type { TargetedInputEvent } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ResetButton } from "../parts/button.js";
import { Options } from "../parts/options.js";
import { partWords } from "../parts/part-words.js";
import { useWords } from "../parts/words.js";
import {
  type ChosenValues,
  type OptionField,
  type OptionValue,
  shownValue,
  type UsualValues,
  usualValue,
} from "./option-values.js";
import { isEmbeddedPicture, PictureInput } from "./picture-input.js";

/** Milliseconds after the last key press until a text takes effect. */
const typingPause = 250;

/** Sets a value; undefined means the default. */
type Change = (key: string, value: OptionValue | undefined) => void;

/** The form of a template's options. Each changed field has a reset button. */
export function OptionForm(properties: {
  options: TemplateOptions;
  usual: UsualValues;
  chosen: ChosenValues;
  change: Change;
}) {
  const { options, usual, chosen, change } = properties;
  const words = useWords(partWords).options;
  const categories = options.categories.filter(({ fields }) => fields.length > 0);
  return (
    <form class="options" autocomplete="off" onSubmit={(event) => event.preventDefault()}>
      {categories.length === 0 && <p class="quiet">{words.none}</p>}
      {categories.map(({ key, label, fields }) => (
        <fieldset key={key}>
          <legend>{label}</legend>
          {fields.map((field) => (
            <Field
              key={`${field.key} ${field.type}`}
              field={field}
              value={chosen.has(field.key) ? (chosen.get(field.key) ?? null) : usualValue(field, usual)}
              usual={usualValue(field, usual)}
              isChanged={chosen.has(field.key)}
              change={change}
            />
          ))}
        </fieldset>
      ))}
    </form>
  );
}

interface InputProperties {
  id: string;
  field: OptionField;
  value: OptionValue;
  /** Sets a value; `isTyping` if more input may follow. Undefined for an incomplete number. */
  take(value: OptionValue | undefined, isTyping: boolean): void;
}

function Field(properties: {
  field: OptionField;
  value: OptionValue;
  usual: OptionValue;
  isChanged: boolean;
  change: Change;
}) {
  const { field, value, usual, isChanged, change } = properties;
  const id = useId();
  const words = useWords(partWords).options;
  const row = useRef<HTMLDivElement>(null);
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isWrong, setIsWrong] = useState(false);
  useEffect(() => () => clearTimeout(pending.current), []);

  const take = (taken: OptionValue | undefined, isTyping: boolean): void => {
    clearTimeout(pending.current);
    setIsWrong(taken === undefined);
    if (taken === undefined) return;
    // An empty text without a default means no value.
    const isUsual = taken === usual || (taken === "" && usual === null);
    const act = (): void => change(field.key, isUsual ? undefined : taken);
    if (isTyping) pending.current = setTimeout(act, typingPause);
    else act();
  };
  const reset = (): void => {
    clearTimeout(pending.current);
    setIsWrong(false);
    change(field.key, undefined);
    row.current
      ?.querySelector<HTMLElement>("input:not([hidden]), select, textarea, .picture-acts button")
      ?.focus();
  };
  const isCheck = field.type === "boolean";
  const input = { id, field, value, take };
  // A text option can contain a picture.
  const isPicture = field.format === "image" || isEmbeddedPicture(usual);
  return (
    <div
      ref={row}
      class={isCheck ? "field field-check" : "field"}
      data-option={field.key}
      data-changed={isChanged || undefined}
      data-wrong={isWrong || undefined}
    >
      {isCheck && <CheckBox {...input} />}
      <label for={id}>{field.label}</label>
      <ResetButton label={words.reset(field.label)} hint={words.resetHint} act={reset} />
      {!isCheck && field.options !== undefined && <Choice {...input} />}
      {!isCheck &&
        field.options === undefined &&
        (isPicture ? (
          <PictureInput id={id} label={field.label} value={value} take={(address) => take(address, false)} />
        ) : (
          <TextInput {...input} />
        ))}
    </div>
  );
}

function CheckBox({ id, value, take }: InputProperties) {
  return (
    <input
      id={id}
      type="checkbox"
      checked={value === true}
      onChange={({ currentTarget }) => take(currentTarget.checked, false)}
    />
  );
}

/** Has an empty choice without a value, because the template may have no default. */
function Choice({ id, field, value, take }: InputProperties) {
  const options = field.options ?? [];
  const isKnown = options.some(({ key }) => key === String(value));
  return (
    <select
      id={id}
      value={isKnown ? String(value) : ""}
      onChange={({ currentTarget: { value: key } }) =>
        take(key === "" && !isKnown ? null : field.type === "int" ? Number(key) : key, false)
      }
    >
      {!isKnown && <option value="">—</option>}
      <Options of={options.map(({ key, label }) => [key, label])} />
    </select>
  );
}

/** Input for a text, number or date. Keeps the typed text while it represents the value. */
function TextInput({ id, field, value, take }: InputProperties) {
  const [typed, setTyped] = useState<{ text: string; value: OptionValue | undefined }>();
  const { type, format, minimum, maximum, decimals } = field;
  const isPlain = type !== "int" && (format === undefined || format === "text");
  useLayoutEffect(() => setTyped((before) => (before?.value === value ? before : undefined)), [value]);
  const common = {
    id,
    value: typed?.text ?? shownValue(value),
    onInput: ({
      currentTarget: { value: text, validity },
    }: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>): void => {
      const read = isPlain ? text : validity.valid ? typedValue(field, text) : undefined;
      setTyped({ text, value: read });
      take(read, true);
    },
  };
  const limits = { min: minimum, max: maximum };
  if (type === "int") return <input {...common} {...limits} type="number" step={1} inputMode="numeric" />;
  switch (format) {
    case "number":
      return (
        <input
          {...common}
          {...limits}
          type="number"
          step={decimals === undefined ? "any" : String(10 ** -decimals)}
          inputMode="decimal"
        />
      );
    case "date":
      return <input {...common} type="date" />;
    case "text":
      return <textarea {...common} rows={4} spellcheck={false} autocomplete="off" />;
    default:
      return <input {...common} type="text" spellcheck={false} autocomplete="off" />;
  }
}

/** Parses a number or date; undefined for a notation that reports do not accept. */
function typedValue({ type, format }: OptionField, text: string): OptionValue | undefined {
  if (text === "") return null;
  if (type === "int") return Number(text);
  return format === "date" || /^-?\d+(\.\d+)?$/.test(text) ? text : undefined;
}
