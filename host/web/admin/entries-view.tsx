import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../parts/button.js";
import { Confirmation } from "../parts/dialog.js";
import { AccessNeeded, Failure, usePrevented } from "../parts/notice.js";
import { ViewHead } from "../parts/panel.js";

interface EntriesViewProperties<Entry> {
  title: string;
  /** Undefined until the host has answered. */
  entries: readonly Entry[] | undefined;
  failure: Error | undefined;
  refresh(): void;
  summary(entries: readonly Entry[]): string;
  /** How an entry is ended, such as "Cancel". */
  verb: string;
  /** What an entry is, such as "job". */
  noun: string;
  idOf(entry: Entry): string;
  /** `action` is the button of an entry. */
  table(entries: readonly Entry[], action: (entry: Entry) => ComponentChildren): ComponentChildren;
  end(entry: Entry): Promise<void>;
  /** Of ending an entry, for the question whether it is meant. */
  consequences(entry: Entry): ComponentChildren;
}

/** The beginning of an id: the whole id would give onlookers access to what it stands for. */
export function shortId(id: string): string {
  return `${id.slice(0, 8)}…`;
}

/** A page of what clients have left with the host, each of which may be ended. */
export function EntriesView<Entry>(properties: EntriesViewProperties<Entry>) {
  const { title, entries, failure, refresh, summary, verb, noun, idOf, table, end, consequences } =
    properties;
  const prevented = usePrevented("sessions");
  const [chosen, setChosen] = useState<Entry>();
  const nameOf = (entry: Entry): string => `${noun} ${shortId(idOf(entry))}`;
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
      {chosen !== undefined && (
        <Confirmation
          title={`${verb} ${nameOf(chosen)}?`}
          action={`${verb} ${noun}`}
          kind="danger"
          act={() => end(chosen)}
          close={close}
        >
          {consequences(chosen)}
        </Confirmation>
      )}
    </AccessNeeded>
  );
}
