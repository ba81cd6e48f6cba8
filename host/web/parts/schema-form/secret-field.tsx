import { jsonPointer, parsedJson, valueAt } from "../../../system/json.js";
import { Button } from "../button.js";
import { kindOf } from "../schema.js";
import { FieldFrame } from "./field-frame.js";
import { isFixed, type MemberProperties, useForm } from "./form-state.js";

/** The field of a secret: shows whether it is set, and accepts a new one. The host never sends secrets. */
export function SecretField(member: MemberProperties) {
  const { path, schema } = member;
  const { given, changes, change, reset, prevented } = useForm();
  const pointer = jsonPointer(path);
  const { isSet, isSaved } = given.secrets.find((each) => each.path === pointer) ?? {
    isSet: false,
    isSaved: false,
  };
  const changed = valueAt(changes, path);
  const isRemoved = changed === null;
  const isFree = !isFixed(given, path) && prevented === undefined;
  const state = isRemoved
    ? "It will be removed."
    : changed !== undefined
      ? isSet
        ? "It will be replaced."
        : "It will be set."
      : isSet
        ? "Set"
        : "Not set";
  const isText = kindOf(schema).kind === "text";
  return (
    <FieldFrame
      member={member}
      isWhole
      isPlain
      note={isText ? state : `${state} · As JSON`}
      aside={
        isFree &&
        (changed !== undefined ? (
          <Button kind="quiet" label={`Leave ${member.name} as it is`} act={() => reset(path)}>
            Leave it
          </Button>
        ) : isSaved ? (
          <Button kind="quiet" label={`Remove ${member.name}`} act={() => change(path, null)}>
            Remove
          </Button>
        ) : null)
      }
      control={(control) => (
        <input
          {...control}
          type="password"
          autocomplete="new-password"
          placeholder={isSet && !isRemoved ? "••••••••" : ""}
          value={changed === undefined || isRemoved ? "" : textOf(changed)}
          onInput={({ currentTarget: { value: text } }) => {
            if (text === "") reset(path);
            else change(path, isText ? text : (parsedJson(text) ?? text));
          }}
        />
      )}
    />
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
