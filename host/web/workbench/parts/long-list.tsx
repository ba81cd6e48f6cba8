import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useFormats, useWorkbenchWords } from "../words/words.js";

/** Number of items at first, and per press of the button. */
const step = 50;

/** A long list that renders its first items, with a button for more. */
export function LongList<Item>({
  items,
  draw,
}: {
  items: readonly Item[];
  /** Renders an item as `li` with a key. */
  draw(item: Item): VNode;
}) {
  const { list: words } = useWorkbenchWords();
  const formats = useFormats();
  const [most, setMost] = useState(step);
  const left = items.length - most;
  return (
    <>
      <ul lang="en">{items.slice(0, most).map(draw)}</ul>
      {left > 0 && (
        <p class="long-list-more">
          <button type="button" class="link" onClick={() => setMost(most + step)}>
            {words.more(formats.number(Math.min(step, left)))}
          </button>{" "}
          <span class="quiet" role="status">
            {words.shown(formats.number(most), formats.number(items.length))}
          </span>
        </p>
      )}
    </>
  );
}
