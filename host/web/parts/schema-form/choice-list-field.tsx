import { useId } from "preact/hooks";
import { valueAt } from "../../../system/json.js";
import { defaultAt, isFixed } from "./changes.js";
import { FieldFrame } from "./field-frame.js";
import { type MemberProperties, useForm } from "./form-state.js";

/** A list of values each of which is in it or not, as boxes to tick. */
export function ChoiceListField(
  properties: MemberProperties & { values: readonly unknown[]; titles: readonly string[] },
) {
  const { values, titles, ...member } = properties;
  const { path, schema } = member;
  const { given, changes, change } = useForm();
  const id = useId();
  const stated = isFixed(given, path)
    ? valueAt(given.values, path)
    : (valueAt(changes, path) ?? defaultAt(given, schema, path));
  const chosen: readonly unknown[] = Array.isArray(stated) ? stated : [];
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
                // In the order of the choices, so that who goes back has what was there.
                onChange={({ currentTarget: { checked } }) =>
                  change(
                    path,
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
