import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useMay } from "../client/host-context.js";
import { Button } from "../parts/button.js";
import { AccessNeeded, Failure, usePrevented } from "../parts/notice.js";
import { ViewHead } from "../parts/panel.js";

interface EntriesViewProperties<Entry> {
  title: string;
  /** Undefined until the host has answered. */
  entries: readonly Entry[] | undefined;
  failure: Error | undefined;
  refresh(): void;
  summary(entries: readonly Entry[]): string;
  /** What may be done to an entry, such as "Cancel". */
  verb: string;
  /** An entry after the verb, such as "job 0123…". */
  nameOf(entry: Entry): string;
  /** `action` is the button of an entry. */
  table(entries: readonly Entry[], action: (entry: Entry) => ComponentChildren): ComponentChildren;
  /** Asks whether the entry is meant. */
  dialog(entry: Entry, close: () => void): ComponentChildren;
}

/** Whether the caller may see the entries of `EntriesView`. */
export function useMaySeeEntries(): boolean {
  return [useMay("read"), useMay("sessions")].includes(true);
}

/** A page of what clients have left with the host, each of which may be ended. */
export function EntriesView<Entry>(properties: EntriesViewProperties<Entry>) {
  const { title, entries, failure, refresh, summary, verb, nameOf, table, dialog } = properties;
  const prevented = usePrevented("sessions");
  const [chosen, setChosen] = useState<Entry>();
  const action = (entry: Entry): ComponentChildren => (
    <Button
      kind="quiet"
      prevented={prevented}
      label={`${verb} ${nameOf(entry)}`}
      act={() => setChosen(entry)}
    >
      {verb} …
    </Button>
  );
  const close = (): void => {
    setChosen(undefined);
    refresh();
  };
  return (
    <AccessNeeded roles={["read", "sessions"]}>
      <ViewHead
        title={title}
        text={entries === undefined ? "Loading …" : summary(entries)}
        actions={prevented === undefined ? undefined : <p class="prevented quiet">{prevented}</p>}
      />
      {failure !== undefined && entries === undefined && <Failure error={failure} />}
      {entries !== undefined && table(entries, action)}
      {chosen !== undefined && dialog(chosen, close)}
    </AccessNeeded>
  );
}
