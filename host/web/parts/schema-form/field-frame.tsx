import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { valueAt } from "../../../system/json.js";
import { ResetButton } from "../button.js";
import { partWords } from "../part-words.js";
import { cutText, hintOf, valueText } from "../schema.js";
import { useWords } from "../words.js";
import {
  defaultAt,
  isFixed,
  isPartlyFixed,
  type MemberProperties,
  mistakesAt,
  titleOf,
  useForm,
} from "./form-state.js";

/** Attributes that a field gives its control. */
export interface FramedControl {
  id: string;
  "aria-describedby": string;
  "aria-invalid": true | undefined;
  "aria-required": boolean | undefined;
  disabled: boolean;
}

/** Label, help, mistakes and reset button around the control of a member. */
export function FieldFrame(properties: {
  member: MemberProperties;
  /** Whether the field has several controls, like a list or map. */
  isGroup?: boolean;
  /** Further sentences of the help. */
  note?: string | undefined;
  /** Whether the field shows mistakes of all members of the value. */
  isWhole?: boolean;
  /** Without reset button. */
  isPlain?: boolean;
  /** Beside the label. */
  aside?: ComponentChildren;
  control(control: FramedControl): ComponentChildren;
}) {
  const { member, isGroup = false, note, isWhole = false, isPlain = false, aside, control } = properties;
  const { path, schema, name, isRequired } = member;
  const { given, isTechnical, changes, violations, prevented, reset } = useForm();
  const words = useWords(partWords).form;
  const [id, helpId] = [useId(), useId()];
  const row = useRef<HTMLElement>(null);
  const mistakes = mistakesAt(violations, path, { isWhole, words });
  const fixed = isFixed(given, path);
  const title = titleOf(member);
  const inherited = isPlain ? undefined : defaultAt(given, schema, path);
  const usual = isTechnical ? cutText(inherited) : valueText(inherited, schema, words);
  const mayLeave = inherited !== undefined || isRequired !== true;
  const isChanged = !isPlain && !fixed && mayLeave && valueAt(changes, path) !== undefined;
  const isNamed = isTechnical && title !== name;
  const { format, ...hinted } = schema;
  const sentences = [
    hintOf(format === "multiline" ? hinted : schema, words),
    usual !== undefined && (isTechnical || isChanged) ? words.usual(usual) : "",
    note ?? "",
    fixed
      ? "The host's configuration states it."
      : isPartlyFixed(given, path)
        ? "The host's configuration states parts of it."
        : "",
  ].filter((each) => each !== "");
  const framed: FramedControl = {
    id,
    "aria-describedby": helpId,
    "aria-invalid": mistakes.length > 0 || undefined,
    "aria-required": isRequired,
    disabled: fixed || prevented !== undefined,
  };
  const back = (): void => {
    reset(path);
    row.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  };
  const help = (
    <div id={helpId} class="help">
      {mistakes.map((each) => (
        <p key={each} class="mistake">
          {each}
        </p>
      ))}
      {(sentences.length > 0 || isNamed) && (
        <p class="quiet">
          {isNamed && <code>{name}</code>}
          {isNamed && sentences.length > 0 && " · "}
          {sentences.join(" · ")}
        </p>
      )}
    </div>
  );
  const content = (
    <>
      {isGroup ? <legend>{title}</legend> : <label for={id}>{title}</label>}
      {aside}
      {isChanged && prevented === undefined && (
        <ResetButton label={words.back(title)} hint={words.backHint} act={back} />
      )}
      {isGroup && help}
      {control(framed)}
      {!isGroup && help}
    </>
  );
  const common = {
    class: isGroup ? "setting setting-group" : "setting",
    "data-member": path.join("."),
    "data-changed": isChanged || undefined,
    "data-wrong": mistakes.length > 0 || undefined,
  };
  const keep = (element: HTMLElement | null): void => {
    row.current = element;
  };
  return isGroup ? (
    <fieldset {...common} ref={keep} aria-describedby={helpId}>
      {content}
    </fieldset>
  ) : (
    <div {...common} ref={keep}>
      {content}
    </div>
  );
}
