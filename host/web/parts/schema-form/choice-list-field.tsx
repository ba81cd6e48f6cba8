import { useId } from "preact/hooks";
import { FieldFrame } from "./field-frame.js";
import { type MemberProperties, useForm } from "./form-state.js";
import { itemsOf } from "./list-field.js";

/** A list with distinct values, as checkboxes. */
export function ChoiceListField(
  properties: MemberProperties & { values: readonly unknown[]; titles: readonly string[] },
) {
  const { values, titles, ...member } = properties;
  const form = useForm();
  const id = useId();
  const chosen = itemsOf(form, member);
  return (
    <FieldFrame
      member={member}
      isGroup
      isWhole
      control={({ disabled }) => (
        <div class="choice-list">
          {values.map((value, index) => (
            <label key={String(value)} class="check" for={`${id}-${index}`}>
              <input
                id={`${id}-${index}`}
                type="checkbox"
                disabled={disabled}
                checked={chosen.includes(value)}
                // In the order of the choices, so that undoing a change restores the same list.
                onChange={({ currentTarget: { checked } }) =>
                  form.change(
                    member.path,
                    values.filter((each) => (each === value ? checked : chosen.includes(each))),
                  )
                }
              />
              <span class="cut">{titles[index]}</span>
            </label>
          ))}
        </div>
      )}
    />
  );
}
