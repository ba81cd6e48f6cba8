import { useId } from "preact/hooks";
import { parsedJson } from "../../system/json.js";
import { Options } from "../parts/options.js";
import { defaultOf, type Field, hintOf, kindOf } from "../parts/schema.js";
import type { FieldPlace } from "./inputs.js";

interface InputFieldProperties {
  field: Field;
  place: FieldPlace;
  text: string;
  /** Value of an empty field. */
  usual: string | undefined;
  change(text: string): void;
}

/** A field that fits its schema; an empty one is not sent. */
export function InputField(properties: InputFieldProperties) {
  const { field, place, text } = properties;
  const [id, hintId] = [useId(), useId()];
  const hint = hintOf(field.schema);
  const isNoJson = kindOf(field.schema).kind === "json" && text.trim() !== "" && !isJson(text);
  return (
    <div class="input-field" data-wrong={isNoJson || undefined}>
      <label for={id} class="input-name">
        {field.name}
        <span class="where">
          {place !== "body" && ` in the ${place}`}
          {field.isRequired && " required"}
        </span>
      </label>
      <Input {...properties} id={id} hintId={hintId} />
      <p id={hintId} class="quiet">
        {isNoJson ? "Not valid JSON; it is sent as text." : hint}
      </p>
    </div>
  );
}

function Input(properties: InputFieldProperties & { id: string; hintId: string }) {
  const { field, text, usual, change, id, hintId } = properties;
  const asked = kindOf(field.schema);
  const fallback = usual ?? defaultOf(field.schema);
  const common = {
    id,
    "aria-describedby": hintId,
    "aria-required": field.isRequired,
    value: text,
    placeholder: fallback ?? "",
  };
  const empty = fallback === undefined ? "—" : `${fallback} (default)`;
  switch (asked.kind) {
    case "choice":
      return (
        <Choice
          {...common}
          change={change}
          empty={empty}
          values={asked.values.map((each) => JSON.stringify(each))}
        />
      );
    case "switch":
      return <Choice {...common} change={change} empty={empty} values={["true", "false"]} />;
    case "json":
      return (
        <textarea
          {...common}
          class="code"
          rows={3}
          spellcheck={false}
          onInput={(event) => change(event.currentTarget.value)}
        />
      );
    default:
      return (
        <input
          {...common}
          type="text"
          inputMode={asked.kind === "number" ? "decimal" : "text"}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => change(event.currentTarget.value)}
        />
      );
  }
}

/** A select whose values are JSON texts. */
function Choice(properties: {
  id: string;
  "aria-describedby": string;
  "aria-required": boolean;
  value: string;
  empty: string;
  values: readonly string[];
  change(text: string): void;
}) {
  const { empty, values, change, id, value } = properties;
  return (
    <select
      id={id}
      aria-describedby={properties["aria-describedby"]}
      aria-required={properties["aria-required"]}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    >
      <option value="">{empty}</option>
      <Options of={values.map((each) => [each, String(parsedJson(each))])} />
    </select>
  );
}

function isJson(text: string): boolean {
  return parsedJson(text) !== undefined;
}
