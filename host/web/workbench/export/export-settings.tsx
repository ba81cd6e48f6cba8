import { useId, useRef, useState } from "preact/hooks";
import { isJsonObject, type JsonPath, valueAt } from "../../../system/json.js";
import { useHost } from "../../client/host-context.js";
import { useObserved } from "../../client/observed.js";
import { RefusedRequest } from "../../client/refusal.js";
import { Button, ResetButton } from "../../parts/button.js";
import { Notice } from "../../parts/notice.js";
import { partWords } from "../../parts/part-words.js";
import { type Schema, valueText } from "../../parts/schema.js";
import {
  FormContext,
  type FormState,
  violationsIn,
  withoutValue,
  withValue,
} from "../../parts/schema-form/form-state.js";
import { Member } from "../../parts/schema-form/member.js";
import { useWords } from "../../parts/words.js";
import { GeneratedFile } from "../parts/generated-files.js";
import { FailureNotice, NoteList, PluginProgress } from "../parts/outcome.js";
import type { ExportRun } from "../projects/export-run.js";
import type { OpenProject } from "../projects/open-project.js";
import { useFormats, useWorkbenchWords } from "../words/words.js";
import {
  changedSettings,
  type ExportForm,
  type Setting,
  type SettingGroup,
  usualValue,
} from "./export-form.js";
import { type ExportName, exportKinds } from "./export-kinds.js";
import { type KeptChanges, useKeptChanges } from "./kept-changes.js";

/** The form of an export, beside its button, its result and the list of changed settings. */
export function ExportSettings(properties: { project: OpenProject; name: ExportName; form: ExportForm }) {
  const { project, name, form } = properties;
  const host = useHost();
  const { exports: words } = useWorkbenchWords();
  const kept = useKeptChanges(name, project.facts.sessionId, form);
  const { changes, change: setChanges } = kept;
  const [searchText, setSearchText] = useState("");
  const kind = exportKinds[name];
  const run = project.runs[name];
  const outcome = useObserved(run.outcome);
  const place = useRef<HTMLFormElement>(null);
  const settings = form.groups.flatMap((group) => group.settings);
  const violations =
    outcome.state === "failed" && outcome.failure instanceof RefusedRequest
      ? violationsIn(outcome.failure.error.additionalInformation)
      : [];

  const change = (path: JsonPath, value: unknown): void =>
    setChanges((before) => {
      const setting = settings.find((each) => each.path.join() === path.join());
      const usual = setting && usualValue(form, setting);
      const isUsual =
        JSON.stringify(value) === JSON.stringify(usual) || (value === "" && usual === undefined);
      return isUsual ? tidied(withoutValue(before, path)) : withValue(before, path, value);
    });
  const reset = (path: JsonPath): void => setChanges((before) => tidied(withoutValue(before, path)));
  const state: FormState = {
    given: form.given,
    isTechnical: false,
    changes,
    violations: violations.map(({ path, expected }) => ({
      path: path.replace(/^body/, "config"),
      expected,
    })),
    prevented: undefined,
    change,
    reset,
  };
  const body = { sessionId: project.facts.sessionId, ...changes };
  const make = (): void => void run.start(host, kind.path.slice(1), body);
  const show = (setting: Setting): void => {
    setSearchText("");
    requestAnimationFrame(() => {
      const field = place.current?.querySelector<HTMLElement>(`[data-member="${setting.path.join(".")}"]`);
      field?.closest("details")?.setAttribute("open", "");
      field?.scrollIntoView({ block: "center" });
      field?.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
    });
  };

  return (
    <div class="export-view">
      <aside class="export-side">
        <header>
          <h1>{words[name].title}</h1>
          <p class="quiet">{words[name].text}</p>
        </header>
        <Button kind="main" act={make}>
          {words[name].act}
        </Button>
        <Dropped kept={kept} />
        <Outcome run={run} isOlder={outcome.state === "done" && outcome.body !== JSON.stringify(body)} />
        <Changed
          form={form}
          changed={changedSettings(form, changes)}
          state={state}
          find={show}
          resetAll={() => setChanges(() => ({}))}
        />
      </aside>
      <FormContext.Provider value={state}>
        <form
          ref={place}
          class="configuration export-form"
          autocomplete="off"
          onSubmit={(event) => {
            event.preventDefault();
            make();
          }}
        >
          <label class="find-setting">
            <span class="unseen">{words.find}</span>
            <input
              type="search"
              placeholder={words.find}
              value={searchText}
              onInput={({ currentTarget }) => setSearchText(currentTarget.value)}
              onKeyDown={(event) => {
                // Enter would submit the form.
                if (event.key === "Enter") event.preventDefault();
              }}
            />
          </label>
          <Groups form={form} state={state} searchText={searchText} />
        </form>
      </FormContext.Provider>
    </div>
  );
}

/** Stored settings that the current version of the plugin does not accept. */
function Dropped({ kept: { dropped, forgetDropped } }: { kept: KeptChanges }) {
  const { exports: words, open } = useWorkbenchWords();
  const formats = useFormats();
  if (dropped.length === 0) return null;
  return (
    <Notice tone="warning">
      <p>
        <strong>{formats.counted(dropped.length, words.dropped)}</strong>
      </p>
      <p>{words.droppedText(dropped.join(", "))}</p>
      <Button act={forgetDropped}>{open.dismiss}</Button>
    </Notice>
  );
}

/** Removes empty objects, which change nothing. */
function tidied(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => !isJsonObject(value) || Object.keys(value).length > 0),
  );
}

/** The changed settings, each with a link to its field and a reset button. */
function Changed(properties: {
  form: ExportForm;
  changed: readonly Setting[];
  state: FormState;
  find(setting: Setting): void;
  resetAll(): void;
}) {
  const { form, changed, state, find, resetAll } = properties;
  const { exports: words } = useWorkbenchWords();
  const formats = useFormats();
  const formWords = useWords(partWords).form;
  const id = useId();
  const shownOf = ({ path, schema }: Setting): string =>
    settingText(valueAt(state.changes, path), schema, formWords) ?? "—";
  return (
    <section class="changed-settings" aria-labelledby={id}>
      <h2 id={id}>
        {changed.length === 0 ? words.unchanged : formats.counted(changed.length, words.changed)}
      </h2>
      {changed.length > 0 && (
        <ul>
          {changed.map((setting) => {
            const title = String(setting.schema["title"]);
            const usual = settingText(usualValue(form, setting), setting.schema, formWords);
            return (
              <li key={setting.path.join(".")}>
                <button
                  type="button"
                  class="link"
                  aria-label={words.goTo(title)}
                  onClick={() => find(setting)}
                >
                  {title}
                </button>
                <span class="changed-value cut">
                  {shownOf(setting)}
                  {usual !== undefined && <s class="quiet">{usual}</s>}
                </span>
                <ResetButton
                  label={words.back(title)}
                  hint={formWords.backHint}
                  act={() => state.reset(setting.path)}
                />
              </li>
            );
          })}
        </ul>
      )}
      {changed.length > 1 && (
        <Button kind="quiet" act={resetAll}>
          {words.backAll}
        </Button>
      )}
      <p class="quiet">{words.remembered}</p>
    </section>
  );
}

/** A value as text; for a list, the titles of its items. */
function settingText(
  value: unknown,
  schema: Schema,
  words: Parameters<typeof valueText>[2],
): string | undefined {
  const { items } = schema;
  if (!Array.isArray(value) || !isJsonObject(items)) return valueText(value, schema, words);
  const texts = value.map((each) => valueText(each, items, words) ?? "");
  return texts.length === 0 ? undefined : texts.join(", ");
}

/** The settings in their groups, filtered by the search text. */
function Groups({ form, state, searchText }: { form: ExportForm; state: FormState; searchText: string }) {
  const { exports: words } = useWorkbenchWords();
  const wanted = searchText.trim().toLowerCase();
  const groups = form.groups
    .map((group) => ({ ...group, settings: group.settings.filter((each) => hasText(each, wanted)) }))
    .filter(({ settings }) => settings.length > 0);
  if (groups.length === 0) return <p class="quiet">{words.nothingFound}</p>;
  return (
    <>
      {groups.map((group, index) => (
        <Group
          key={group.title}
          group={group}
          state={state}
          isOpen={wanted !== "" || (index < 2 && form.groups.length > 1)}
        />
      ))}
    </>
  );
}

function hasText({ name, schema }: Setting, wanted: string): boolean {
  const texts = [name, schema["title"], schema["description"]];
  return texts.some((text) => typeof text === "string" && text.toLowerCase().includes(wanted));
}

function Group(properties: { group: SettingGroup; state: FormState; isOpen: boolean }) {
  const { group, state, isOpen } = properties;
  const { exports: words } = useWorkbenchWords();
  const formats = useFormats();
  const changed = group.settings.filter(({ path }) => valueAt(state.changes, path) !== undefined).length;
  return (
    <details class="panel setting-fold" open={isOpen}>
      <summary>
        <h2>{group.title}</h2>
        {changed > 0 && <span class="changed-count">{formats.counted(changed, words.inGroup)}</span>}
      </summary>
      <div class="panel-body">
        {group.settings.map(({ path, name, schema }) => (
          <Member key={path.join(".")} path={path} name={name} schema={schema} />
        ))}
      </div>
    </details>
  );
}

/** Progress or result of an export. */
function Outcome({ run, isOlder }: { run: ExportRun; isOlder: boolean }) {
  const { exports: words } = useWorkbenchWords();
  const outcome = useObserved(run.outcome);
  if (outcome.state === "idle") return null;
  if (outcome.state === "working")
    return <PluginProgress progress={outcome.progress} stop={() => run.stop()} />;
  if (outcome.state === "failed") return <FailureNotice failure={outcome.failure} />;
  return (
    <section class="export-result" aria-label={words.result}>
      <h2>{words.result}</h2>
      {isOlder && <p class="quiet">{words.older}</p>}
      <ul>
        {outcome.files.map((file, index) => (
          <li key={file.address}>
            <GeneratedFile file={file} isMain={index === 0 && !isOlder} />
          </li>
        ))}
      </ul>
      <NoteList errors={outcome.errors} />
    </section>
  );
}
