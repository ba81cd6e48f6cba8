import { useState } from "preact/hooks";
import { parsedJson } from "../../../system/json.js";
import { Options } from "../options.js";
import { type FieldKind, kindOf, type Schema } from "../schema.js";

/** Attributes of the control. */
interface ControlProperties {
  id: string;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: true | undefined;
  "aria-label"?: string | undefined;
  "aria-required"?: boolean | undefined;
  disabled: boolean;
}

/** The control for a simple value, or for any value as JSON. Invalid input is kept as text. */
export function ValueInput(properties: {
  schema: Schema;
  value: unknown;
  control: ControlProperties;
  /** Undefined for an emptied number or JSON. */
  take(value: unknown): void;
}) {
  const { schema, value, control, take } = properties;
  const asked = kindOf(schema);
  if (asked.kind === "switch" && (typeof value === "boolean" || value === undefined))
    return (
      <input
        {...control}
        type="checkbox"
        checked={value === true}
        onChange={({ currentTarget }) => take(currentTarget.checked)}
      />
    );
  if (asked.kind === "choice") return <Choice {...asked} value={value} control={control} take={take} />;
  return <Typed asked={asked} schema={schema} value={value} control={control} take={take} />;
}

function Choice(properties: {
  values: readonly unknown[];
  titles: readonly string[];
  value: unknown;
  control: ControlProperties;
  take(value: unknown): void;
}) {
  const { values, titles, value, control, take } = properties;
  const texts = values.map((each) => JSON.stringify(each));
  const text = JSON.stringify(value);
  const isKnown = texts.includes(text);
  return (
    <select
      {...control}
      value={isKnown ? text : ""}
      onChange={({ currentTarget }) => take(parsedJson(currentTarget.value))}
    >
      {!isKnown && <option value="">{value === undefined ? "—" : text}</option>}
      <Options of={texts.map((each, index) => [each, titles[index] ?? each])} />
    </select>
  );
}

/** Keeps the typed text until the field loses the focus. */
function Typed(properties: {
  asked: FieldKind;
  schema: Schema;
  value: unknown;
  control: ControlProperties;
  take(value: unknown): void;
}) {
  const { asked, schema, value, control, take } = properties;
  const [typed, setTyped] = useState<string>();
  const input = {
    ...control,
    value: typed ?? textOf(asked, value),
    onBlur: () => setTyped(undefined),
    onInput: ({ currentTarget: { value: text } }: { currentTarget: { value: string } }): void => {
      setTyped(text);
      take(typedValue(asked, text));
    },
    spellcheck: false,
    autocomplete: "off",
  };
  if (asked.kind === "json") return <textarea {...input} class="code" rows={4} />;
  if (schema["format"] === "multiline") return <textarea {...input} rows={4} />;
  const isNumber = asked.kind === "number";
  return <input {...input} type="text" inputMode={isNumber ? "decimal" : "text"} />;
}

function textOf({ kind }: FieldKind, value: unknown): string {
  if (value === undefined) return "";
  const isText = typeof value === "string";
  if (kind === "json")
    return isText && parsedJson(value) === undefined ? value : JSON.stringify(value, undefined, 2);
  return isText ? value : JSON.stringify(value);
}

function typedValue({ kind }: FieldKind, text: string): unknown {
  if (kind === "text") return text;
  if (text.trim() === "") return undefined;
  if (kind === "number") return Number.isNaN(Number(text)) ? text : Number(text);
  return parsedJson(text) ?? (text.trim() === "null" ? null : text);
}
