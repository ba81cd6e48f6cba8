import type { TargetedKeyboardEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../../parts/button.js";
import { useFormats, useWorkbenchWords } from "../words/words.js";
import { type ArticleItem, type Line, nameOf } from "./lines.js";
import { Picture } from "./picture.js";
import type { ProjectPlace } from "./project-place.js";

/** A line of the project: folder, text or article. */
export function LineRow(properties: {
  line: Line;
  /** Index among the visible rows. */
  row: number;
  /** CSS pixels. */
  top: number;
  place: ProjectPlace;
  /** Whether this row has the roving tab stop. */
  isActive: boolean;
  /** Whether the active row takes the focus, after a key press. */
  focuses: { current: boolean };
  /** Undefined if the row cannot be collapsed. */
  isFolded: boolean | undefined;
  fold(isFolded: boolean): void;
  choose(): void;
  open(): void;
  press(event: TargetedKeyboardEvent<HTMLElement>): void;
}) {
  const { line, row, top, place, isActive, focuses, isFolded, fold, choose, open, press } = properties;
  const { item, depth } = line;
  const element = useRef<HTMLTableRowElement>(null);
  const { project: words } = useWorkbenchWords();
  const name = nameOf(item);
  useLayoutEffect(() => {
    if (!isActive || !focuses.current) return;
    focuses.current = false;
    element.current?.focus({ preventScroll: true });
  }, [isActive]);
  return (
    <tr
      ref={element}
      class="line-row"
      data-kind={item.kind}
      aria-level={depth + 1}
      aria-posinset={line.place}
      aria-setsize={line.siblings}
      aria-rowindex={row + 2}
      aria-expanded={isFolded === undefined ? undefined : !isFolded}
      tabIndex={isActive ? 0 : -1}
      style={{ transform: `translateY(${top}px)`, "--depth": Math.min(depth, 6) }}
      onFocusIn={choose}
      onKeyDown={press}
      onClick={() => (item.kind === "article" ? open() : isFolded !== undefined && fold(!isFolded))}
    >
      <td class="line-position">{item.position}</td>
      <td class="line-name">
        {isFolded === undefined ? (
          <span class="fold" />
        ) : (
          <button
            type="button"
            class="fold"
            tabIndex={-1}
            data-folded={isFolded || undefined}
            aria-label={isFolded ? words.expand(name) : words.collapse(name)}
            onClick={(event) => {
              event.stopPropagation();
              // Keyboard navigation continues from this line.
              element.current?.focus({ preventScroll: true });
              fold(!isFolded);
            }}
          >
            <Icon name="down" />
          </button>
        )}
        {item.kind === "article" && <Picture image={item.image} pictures={place.pictures} />}
        <span class="line-text">
          <span class="line-title" title={name}>
            {name}
          </span>
          {item.kind === "article" && <ArticleFacts article={item} />}
        </span>
      </td>
      <Amounts line={line} currency={place.data.currency} />
    </tr>
  );
}

function ArticleFacts({ article }: { article: ArticleItem }) {
  const { project: words } = useWorkbenchWords();
  const { status, manufacturerName, manufacturerId, articleNumber } = article;
  const facts = [articleNumber, manufacturerName || manufacturerId].filter((text) => text !== "");
  return (
    <span class="line-facts">
      {status !== "active" && (
        <span class="badge" data-tone="idle">
          {words[status]}
        </span>
      )}
      <span class="cut">{facts.join(" · ")}</span>
    </span>
  );
}

/** Quantity and prices; for folders, sub-totals. */
function Amounts({ line: { item }, currency }: { line: Line; currency: string }) {
  const { project: words } = useWorkbenchWords();
  const formats = useFormats();
  const money = (value: string | null): string => (value === null ? "" : formats.money(value, currency));
  if (item.kind === "article") {
    const { quantity, unit, unitPrice, totalPrice, status } = item;
    const unitName = unit === "" || unit === "C62" || unit === "H87" ? "" : ` ${unit}`;
    return (
      <>
        <td class="line-quantity number">
          {formats.decimal(quantity)}
          {unitName}
        </td>
        <td class="line-unit number">{money(unitPrice)}</td>
        <td
          class="line-total number"
          data-counts={status === "active" || undefined}
          title={status === "active" ? undefined : words.notInTotal}
        >
          {totalPrice === null ? <span class="quiet">{words.noPrice}</span> : money(totalPrice)}
        </td>
      </>
    );
  }
  return (
    <>
      <td class="line-quantity" />
      <td class="line-unit" />
      <td class="line-total number">{item.kind === "folder" ? money(item.subTotal) : ""}</td>
    </>
  );
}
