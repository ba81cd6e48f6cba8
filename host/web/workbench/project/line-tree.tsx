import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { useFormats, useWorkbenchWords } from "../words/words.js";
import { LineDialog } from "./line-dialog.js";
import { LineRow } from "./line-row.js";
import { type ArticleItem, hasChildren, type Line, linesOf, linesWith, unfolded } from "./lines.js";
import type { ProjectPlace } from "./project-place.js";
import { useVisibleRows } from "./use-visible-rows.js";

/** Heights of rows in CSS pixels; the same as in the style sheet. */
const rowHeight = 56;
const narrowHeight = 84;
const narrow = matchMedia("(width < 44rem)");

/** The lines of a project as a tree with pictures and prices. Renders only visible rows. */
export function LineTree({ place }: { place: ProjectPlace }) {
  const words = useWorkbenchWords().project;
  const formats = useFormats();
  const lines = useMemo(() => linesOf(place.data.items), [place.data]);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [searchText, setSearchText] = useState("");
  /** Index of the active line; if it is collapsed, that of its visible ancestor. */
  const [active, setActive] = useState(0);
  const [shownArticle, showArticle] = useState<ArticleItem>();
  const list = useRef<HTMLTableSectionElement>(null);
  const focuses = useRef(false);
  const id = useId();
  const height = useIsNarrow() ? narrowHeight : rowHeight;

  const search = useMemo(
    () => (searchText.trim() === "" ? undefined : linesWith(lines, searchText.trim())),
    [lines, searchText],
  );
  const shown = useMemo(() => search?.shown ?? unfolded(lines, folded), [lines, folded, search]);
  const { first, last } = useVisibleRows(list, shown.length, height);
  const current = Math.max(
    0,
    shown.findLastIndex((index) => index <= active),
  );

  const fold = (line: Line, isFolded: boolean): void =>
    setFolded((before) => {
      const now = new Set(before);
      if (isFolded) now.add(line.item.id);
      else now.delete(line.item.id);
      return now;
    });
  const goTo = (row: number): void => {
    const wanted = Math.max(0, Math.min(row, shown.length - 1));
    setActive(shown[wanted] ?? 0);
    // Without a move, no row would take the focus now, but the first result of a later search would.
    focuses.current = wanted !== current;
    const top = (list.current?.getBoundingClientRect().top ?? 0) + wanted * height;
    // Below the sticky header.
    const space = 160;
    if (top < space) window.scrollBy(0, top - space);
    else if (top + height > window.innerHeight) window.scrollBy(0, top + height - window.innerHeight + 16);
  };
  const open = (line: Line): void => {
    if (line.item.kind === "article") showArticle(line.item);
  };
  const press = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const index = shown[current];
    const line = index === undefined ? undefined : lines[index];
    if (line === undefined || index === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const mayFold = hasChildren(line, index) && search === undefined;
    const isFolded = folded.has(line.item.id);
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => goTo(current + 1),
      ArrowUp: () => goTo(current - 1),
      PageDown: () => goTo(current + 10),
      PageUp: () => goTo(current - 10),
      Home: () => goTo(0),
      End: () => goTo(shown.length - 1),
      ArrowRight: () => (mayFold && isFolded ? fold(line, false) : goTo(current + 1)),
      ArrowLeft: () => (mayFold && !isFolded ? fold(line, true) : goTo(parentOf(lines, shown, current))),
      Enter: () => (line.item.kind !== "article" && mayFold ? fold(line, !isFolded) : open(line)),
      " ": () => (mayFold ? fold(line, !isFolded) : open(line)),
    };
    const act = Object.hasOwn(acts, event.key) ? acts[event.key] : undefined;
    if (act === undefined) return;
    event.preventDefault();
    act();
  };

  const folders = lines.filter((line, index) => hasChildren(line, index));
  return (
    <section class="line-tree panel" aria-label={words.table}>
      <header class="line-tools">
        <label>
          <span class="unseen">{words.find}</span>
          <input
            type="search"
            placeholder={words.findHint}
            value={searchText}
            onInput={({ currentTarget }) => {
              setSearchText(currentTarget.value);
              setActive(0);
            }}
          />
        </label>
        <p class="quiet" role="status">
          {search === undefined
            ? formats.counted(lines.length, words.lines)
            : formats.counted(search.found, words.found)}
        </p>
        {folders.length > 0 && search === undefined && (
          <div class="fold-buttons">
            <button type="button" class="link" onClick={() => setFolded(new Set())}>
              {words.expandAll}
            </button>
            <button
              type="button"
              class="link"
              onClick={() => setFolded(new Set(folders.map(({ item }) => item.id)))}
            >
              {words.collapseAll}
            </button>
          </div>
        )}
      </header>
      {shown.length === 0 ? (
        <p class="nothing quiet">{search === undefined ? words.empty : words.nothingFound}</p>
      ) : (
        <table
          class="line-grid"
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern "treegrid" of ARIA is a table
          role="treegrid"
          aria-label={words.table}
          aria-describedby={`${id}-keys`}
          aria-rowcount={shown.length + 1}
        >
          <thead>
            <tr class="line-row line-head" aria-rowindex={1}>
              <th scope="col">{words.columns.position}</th>
              <th scope="col">{words.columns.article}</th>
              <th scope="col" class="number">
                {words.columns.quantity}
              </th>
              <th scope="col" class="number">
                {words.columns.unit}
              </th>
              <th scope="col" class="number">
                {words.columns.total}
              </th>
            </tr>
          </thead>
          <tbody ref={list} class="line-list" style={{ height: `${shown.length * height}px` }}>
            {rowsToDraw(shown.length, first, last, current).map((row) => {
              const index = shown[row] ?? 0;
              const line = lines[index];
              if (line === undefined) return null;
              const mayFold = hasChildren(line, index) && search === undefined;
              return (
                <LineRow
                  key={line.item.id}
                  line={line}
                  row={row}
                  top={row * height}
                  place={place}
                  isActive={row === current}
                  focuses={focuses}
                  isFolded={mayFold ? folded.has(line.item.id) : undefined}
                  fold={(isFolded) => fold(line, isFolded)}
                  choose={() => setActive(index)}
                  open={() => open(line)}
                  press={press}
                />
              );
            })}
          </tbody>
        </table>
      )}
      <p id={`${id}-keys`} class="unseen">
        {words.keys}
      </p>
      {shownArticle !== undefined && (
        <LineDialog article={shownArticle} place={place} close={() => showArticle(undefined)} />
      )}
    </section>
  );
}

/** Visible rows, and the active one, which screen readers need. */
function rowsToDraw(count: number, first: number, last: number, active: number): number[] {
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  return active < count && active >= 0 && (active < first || active >= last) ? [...rows, active] : rows;
}

/** The row of the parent; the row itself at the top level. */
function parentOf(lines: readonly Line[], shown: readonly number[], row: number): number {
  const depthAt = (each: number): number => lines[shown[each] ?? 0]?.depth ?? 0;
  for (let above = row - 1; above >= 0; above--) if (depthAt(above) < depthAt(row)) return above;
  return row;
}

function useIsNarrow(): boolean {
  const [isNarrow, setIsNarrow] = useState(narrow.matches);
  useEffect(() => {
    const look = (): void => setIsNarrow(narrow.matches);
    narrow.addEventListener("change", look);
    return () => narrow.removeEventListener("change", look);
  }, []);
  return isNarrow;
}
