import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useFormats, useWorkbenchWords } from "../words/words.js";

/** Items that are drawn at first, and that each press on the button adds. */
const step = 50;

/** A list that may be very long, of which the first items are drawn; a button draws more. Its texts come from the host. */
export function LongList<Item>({
  items,
  draw,
}: {
  items: readonly Item[];
  /** An item as an element `li` with a key. */
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
