import { useId } from "preact/hooks";
import { valueAt } from "../../../system/json.js";
import { Button, IconButton } from "../button.js";
import { partWords } from "../part-words.js";
import type { Schema } from "../schema.js";
import { useWords } from "../words.js";
import { FieldFrame } from "./field-frame.js";
import { defaultAt, type FormState, isFixed, type MemberProperties, titleOf, useForm } from "./form-state.js";
import { startValue } from "./start-value.js";
import { ValueInput } from "./value-input.js";

/** The current items of a list. */
export function itemsOf(
  { given, changes }: FormState,
  { path, schema }: Pick<MemberProperties, "path" | "schema">,
): readonly unknown[] {
  const stated = isFixed(given, path)
    ? valueAt(given.values, path)
    : (valueAt(changes, path) ?? defaultAt(given, schema, path));
  return Array.isArray(stated) ? stated : [];
}

/** A list of simple values; a change replaces the whole list. */
export function ListField({ item, ...member }: MemberProperties & { item: Schema }) {
  const { path } = member;
  const form = useForm();
  const { given, change, prevented } = form;
  const words = useWords(partWords).form;
  const id = useId();
  const fixed = isFixed(given, path);
  const items = itemsOf(form, member);
  const title = titleOf(member);
  const isFree = !fixed && prevented === undefined;
  return (
    <FieldFrame
      member={member}
      isGroup
      isWhole
      control={({ disabled }) => (
        <>
          {items.map((value, index) => (
            <div key={index} class="item">
              <ValueInput
                schema={item}
                value={value}
                control={{ id: `${id}-${index}`, "aria-label": `${title} ${index + 1}`, disabled }}
                take={(taken) => change(path, items.with(index, taken ?? ""))}
              />
              {isFree && (
                <IconButton
                  label={words.remove(`${title} ${index + 1}`)}
                  icon="close"
                  act={() => change(path, items.toSpliced(index, 1))}
                />
              )}
            </div>
          ))}
          {isFree && (
            <div>
              <Button
                icon="plus"
                label={words.addTo(title)}
                act={() => change(path, [...items, startValue(item)])}
              >
                {words.add}
              </Button>
            </div>
          )}
        </>
      )}
    />
  );
}
