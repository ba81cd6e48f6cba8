import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { isJsonObject, valueAt } from "../../../system/json.js";
import { Button } from "../button.js";
import { partWords } from "../part-words.js";
import type { Schema } from "../schema.js";
import { useWords } from "../words.js";
import { FieldFrame } from "./field-frame.js";
import { defaultAt, isFixed, isPartlyFixed, type MemberProperties, titleOf, useForm } from "./form-state.js";
import { startValue } from "./start-value.js";

/** A map with names that the admin chooses. Default entries can be removed and restored. `field` renders an entry. */
export function MapField({
  entry,
  field,
  ...member
}: MemberProperties & { entry: Schema; field(member: MemberProperties): ComponentChildren }) {
  const { path, schema } = member;
  const { given, changes, change, reset, prevented } = useForm();
  const words = useWords(partWords).form;
  const changed = membersIn(valueAt(changes, path));
  const isStated = isJsonObject(valueAt(given.defaults, path));
  // Default entries of the schema apply only if neither defaults nor changes have the map.
  const isUntouched = !isStated && valueAt(changes, path) === undefined;
  const usual = membersIn(isStated || isUntouched ? defaultAt(given, schema, path) : undefined);
  const fixed = Object.keys(membersIn(valueAt(given.values, path))).filter((name) =>
    isPartlyFixed(given, [...path, name]),
  );
  const names = [...new Set([...Object.keys(usual), ...Object.keys(changed), ...fixed])];
  const isFree = prevented === undefined && !isFixed(given, path);
  const title = titleOf(member);
  const put = (name: string, value: unknown): void => {
    if (isUntouched) change(path, { ...usual, [name]: value });
    else change([...path, name], value);
  };
  const remove = (name: string): void => {
    if (isUntouched) {
      const { [name]: _removed, ...others } = usual;
      change(path, others);
    } else if (Object.hasOwn(usual, name)) change([...path, name], null);
    else reset([...path, name]);
  };
  return (
    <FieldFrame
      member={member}
      isGroup
      isPlain
      control={() => (
        <>
          {names.map((name) => {
            const place = [...path, name];
            if (valueAt(changes, place) === null && Object.hasOwn(usual, name))
              return (
                <RemovedEntry key={name} name={name} restore={isFree ? () => reset(place) : undefined} />
              );
            if (isFixed(given, place) && valueAt(given.values, place) === undefined)
              return <RemovedEntry key={name} name={name} restore={undefined} />;
            const isOwn = isFree && !isPartlyFixed(given, place);
            return (
              <div key={name} class="entry">
                {field({ path: place, name, schema: { ...entry, title: name }, isEntry: true })}
                {isOwn && (
                  <Button kind="quiet" label={words.removeFrom(name, title)} act={() => remove(name)}>
                    {words.removeEntry}
                  </Button>
                )}
              </div>
            );
          })}
          {names.length === 0 && <p class="quiet">{words.noEntries}</p>}
          {isFree && (
            <NewEntry
              title={title}
              taken={names.filter((name) => valueAt(changes, [...path, name]) !== null)}
              add={(name) => put(name, startValue(entry))}
            />
          )}
        </>
      )}
    />
  );
}

function RemovedEntry({ name, restore }: { name: string; restore: (() => void) | undefined }) {
  const words = useWords(partWords).form;
  return (
    <div class="entry" data-changed>
      <p>
        <s>{name}</s> <span class="quiet">{words.removed}</span>
      </p>
      {restore !== undefined && (
        <Button kind="quiet" label={words.restoreEntry(name)} act={restore}>
          {words.restore}
        </Button>
      )}
    </div>
  );
}

/** Input for the name of a new entry; Enter adds it. */
function NewEntry({
  title,
  taken,
  add,
}: {
  title: string;
  taken: readonly string[];
  add(name: string): void;
}) {
  const words = useWords(partWords).form;
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  const [id, problemId] = [useId(), useId()];
  const input = useRef<HTMLInputElement>(null);
  const act = (): void => {
    const wrong =
      name.trim() === "" ? words.enterName : taken.includes(name) ? words.isTaken(name) : undefined;
    setProblem(wrong);
    if (wrong !== undefined) {
      input.current?.focus();
      return;
    }
    add(name);
    setName("");
  };
  return (
    <div class="new-entry">
      <label for={id}>{words.newEntry(title)}</label>
      <div class="item">
        <input
          ref={input}
          id={id}
          type="text"
          autocomplete="off"
          spellcheck={false}
          value={name}
          aria-describedby={problemId}
          aria-invalid={problem !== undefined || undefined}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            // Enter would submit the form.
            event.preventDefault();
            act();
          }}
        />
        <Button icon="plus" label={words.addTo(title)} act={act}>
          {words.add}
        </Button>
      </div>
      <p id={problemId} class="mistake" role="status">
        {problem}
      </p>
    </div>
  );
}

function membersIn(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}
