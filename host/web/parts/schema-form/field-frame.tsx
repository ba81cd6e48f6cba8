import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { valueAt } from "../../../system/json.js";
import { Icon } from "../button.js";
import { partWords } from "../part-words.js";
import { hintOf, kindOf, type Schema } from "../schema.js";
import { useWords } from "../words.js";
import { defaultAt, isFixed, isPartlyFixed, mistakesAt } from "./changes.js";
import { type MemberProperties, titleOf, useForm } from "./form-state.js";

/** Characters; a longer default is cut. */
const longestDefault = 80;

/** What a field says of its control. */
export interface FramedControl {
  id: string;
  "aria-describedby": string;
  "aria-invalid": true | undefined;
  "aria-required": boolean | undefined;
  disabled: boolean;
}

/** Label, help, mistakes and the way back to the default, around the control of a member. */
export function FieldFrame(properties: {
  member: MemberProperties;
  /** A list or map has a group of controls instead of one. */
  isGroup?: boolean;
  /** Further sentences of the help. */
  note?: string | undefined;
  /** Whether the field has all members of the value. */
  isWhole?: boolean;
  /** Without a way back. */
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
  const usual = isTechnical ? shownDefault(inherited) : valueText(inherited, schema, words);
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
        <button
          type="button"
          class="reset-button"
          aria-label={words.back(title)}
          title={words.backHint}
          onClick={back}
        >
          <Icon name="reset" />
        </button>
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

/** A value in the words of its field, for people; undefined where there is none to be told. */
export function valueText(
  value: unknown,
  schema: Schema,
  words: { on: string; off: string },
): string | undefined {
  if (typeof value === "boolean") return value ? words.on : words.off;
  const asked = kindOf(schema);
  const place = asked.kind === "choice" ? asked.values.indexOf(value) : -1;
  if (asked.kind === "choice" && place !== -1) return asked.titles[place];
  const isEmpty = value === "" || value === null || (Array.isArray(value) && value.length === 0);
  return isEmpty ? undefined : shownDefault(value);
}

function shownDefault(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === "string" && value !== "" ? value : JSON.stringify(value);
  return text.length > longestDefault ? `${text.slice(0, longestDefault)}…` : text;
}
