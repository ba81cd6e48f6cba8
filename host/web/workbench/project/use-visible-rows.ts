import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

/** Number of extra rows above and below the visible ones. */
const beyond = 8;

/** The rows of a long list to render: the visible ones and some around them. All have the same height, in CSS pixels. */
export function useVisibleRows(
  list: RefObject<HTMLElement | null>,
  count: number,
  height: number,
): { first: number; last: number } {
  const [range, setRange] = useState({ first: 0, last: 0 });
  const look = (): void => {
    if (list.current === null) return;
    const top = -list.current.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(top / height) - beyond);
    const last = Math.min(count, Math.ceil((top + window.innerHeight) / height) + beyond);
    setRange((before) => (before.first === first && before.last === last ? before : { first, last }));
  };
  useLayoutEffect(look, [count, height]);
  useEffect(() => {
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [count, height]);
  return { first: Math.min(range.first, count), last: Math.min(range.last, count) };
}
