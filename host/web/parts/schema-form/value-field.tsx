import { valueAt } from "../../../system/json.js";
import { partWords } from "../part-words.js";
import { kindOf } from "../schema.js";
import { useWords } from "../words.js";
import { FieldFrame } from "./field-frame.js";
import { defaultAt, isFixed, type MemberProperties, useForm } from "./form-state.js";
import { ValueInput } from "./value-input.js";

/** The field of a simple value, or of any value as JSON. */
export function ValueField(properties: MemberProperties) {
  const { path, schema, isEntry = false } = properties;
  const { given, changes, change, reset } = useForm();
  const words = useWords(partWords).form;
  const isJson = kindOf(schema).kind === "json";
  const changed = valueAt(changes, path);
  const value = isFixed(given, path)
    ? valueAt(given.values, path)
    : changed === undefined
      ? defaultAt(given, schema, path)
      : changed;
  const isNoJson = isJson && typeof changed === "string";
  return (
    <FieldFrame
      member={properties}
      isWhole={isJson}
      isPlain={isEntry && valueAt(given.defaults, path) === undefined}
      note={isNoJson ? words.noJson : isJson ? words.json : undefined}
      control={(control) => (
        <ValueInput
          schema={schema}
          value={value}
          control={control}
          take={(taken) => {
            if (taken !== undefined) change(path, taken);
            // Without a value, the entry would vanish.
            else if (isEntry) change(path, "");
            else reset(path);
          }}
        />
      )}
    />
  );
}
