import { useEffect, useMemo, useState } from "preact/hooks";
import { errorMessage } from "../../system/errors.js";
import { isAborted } from "../client/refusal.js";
import { CopyButton } from "../parts/button.js";
import { counted } from "../parts/shown-values.js";
import { type DataPlace, dataRoot, memberPath, membersOf, placesWith } from "./data-path.js";
import type { LivePreview } from "./live-preview.js";
import type { PreviewState } from "./preview-state.js";

const mostMembers = 200;
const mostFound = 200;

/** The data of the template as a tree; each path can be copied. */
export function DataPanel({ live, state }: { live: LivePreview; state: PreviewState }) {
  const [data, setData] = useState<unknown>();
  const [failure, setFailure] = useState<string>();
  const [searchText, setSearchText] = useState("");
  const { report, failure: failed } = state;
  const { template } = state.shown;
  useEffect(() => {
    const loading = new AbortController();
    live.data(loading.signal).then(
      (loaded) => {
        setData(loaded);
        setFailure(undefined);
      },
      (error: unknown) => {
        if (!loading.signal.aborted && !isAborted(error)) setFailure(errorMessage(error));
      },
    );
    return () => loading.abort();
    // A new report can have other data.
  }, [live, report, failed, template]);
  const found = useMemo(
    () => (searchText.trim() === "" ? undefined : placesWith(searchText.trim(), data, mostFound)),
    [searchText, data],
  );
  return (
    <aside class="data-panel" aria-label="Data">
      <div class="side-head">
        <h1>Data</h1>
        <input
          type="search"
          aria-label="Search the data"
          placeholder="Search"
          value={searchText}
          onInput={(event) => setSearchText(event.currentTarget.value)}
        />
      </div>
      {failure !== undefined && <p class="quiet">{failure}</p>}
      {found === undefined ? (
        <Members value={data} path={dataRoot} />
      ) : (
        <>
          <p class="quiet" role="status">
            {found.length >= mostFound ? `The first ${mostFound} places` : counted(found.length, "place")}
          </p>
          <ul class="data-tree">
            {found.map((place) => (
              <Place key={place.path} place={place} name={place.path.slice(dataRoot.length + 1)} />
            ))}
          </ul>
        </>
      )}
    </aside>
  );
}

function Members({ value, path }: { value: unknown; path: string }) {
  const members = membersOf(value);
  return (
    <ul class="data-tree">
      {members.slice(0, mostMembers).map(([key, member]) => (
        <Place
          key={key}
          place={{ path: memberPath(path, key), value: member }}
          name={typeof key === "number" ? `[${key}]` : key}
        />
      ))}
      {members.length > mostMembers && <li class="quiet">{members.length - mostMembers} more</li>}
    </ul>
  );
}

/** A node; its children are rendered when it is opened. */
function Place({ place: { path, value }, name }: { place: DataPlace; name: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const count = membersOf(value).length;
  const copy = <CopyButton text={path} what={path} />;
  if (count === 0)
    return (
      <li class="data-place" data-path={path}>
        <span class="data-name">{name}</span> <span class="data-value">{shown(value)}</span>
        {copy}
      </li>
    );
  return (
    <li data-path={path}>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary class="data-place">
          <span class="data-name">{name}</span> <span class="data-value">{summaryOf(value, count)}</span>
          {copy}
        </summary>
        {isOpen && <Members value={value} path={path} />}
      </details>
    </li>
  );
}

/** The number of members; for a line of the report, also its title. */
function summaryOf(value: unknown, count: number): string {
  if (Array.isArray(value)) return `[${count}]`;
  const names = new Map(membersOf(value));
  const telling = ["shortText", "name", "label", "text", "name1"].map((key) => names.get(key));
  const text = telling.find((each) => typeof each === "string" && each !== "");
  return text === undefined ? `{${count}}` : shown(text);
}

const longest = 160;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
