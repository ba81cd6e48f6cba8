import { useId, useState } from "preact/hooks";
import { Panel } from "../../parts/panel.js";
import { useHostView } from "../host-view.js";
import { EventList } from "./event-list.js";

const most = 200;

/** What happened to plugins, as it happens; to one only, where it is named or chosen. */
export function EventPanel({ plugin }: { plugin?: string }) {
  const { events } = useHostView();
  const [chosen, setChosen] = useState("");
  const [all, setAll] = useState(false);
  const id = useId();
  const names = [...new Set(events.entries?.flatMap((event) => event.plugin ?? []))].sort();
  const wanted = plugin ?? chosen;
  const entries = events.entries?.filter((event) => wanted === "" || event.plugin === wanted);
  const aside = (
    <div class="filters">
      <label class="check">
        <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
        Every step
      </label>
      {plugin === undefined && (
        <label for={id}>
          <span class="unseen">Plugin</span>
          <select id={id} value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
            <option value="">All plugins</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
  return (
    <Panel title="Events" aside={aside} isFlush>
      <EventList feed={{ ...events, entries }} most={most} all={all} />
    </Panel>
  );
}
