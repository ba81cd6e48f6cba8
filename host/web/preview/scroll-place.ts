/** Changes the sizes of what is in a scroller; what is in its middle before is there afterwards. */
export function keepingPlace(scroller: HTMLElement, parts: readonly HTMLElement[], change: () => void): void {
  const place = placeOf(scroller, parts);
  change();
  if (place === undefined) return;
  const box = place.part.getBoundingClientRect();
  if (!place.part.isConnected) return;
  const view = scroller.getBoundingClientRect();
  scroller.scrollTop += box.top + place.down * box.height - (view.top + view.height * place.line);
  scroller.scrollLeft += box.left + place.across * box.width - (view.left + view.width / 2);
}

interface Place {
  part: HTMLElement;
  /** Shares of the part's height and width. */
  down: number;
  across: number;
  /** Share of the view's height at which that is. */
  line: number;
}

function placeOf(scroller: HTMLElement, parts: readonly HTMLElement[]): Place | undefined {
  const view = scroller.getBoundingClientRect();
  // Who is at the top stays at the top.
  const line = scroller.scrollTop < 2 ? 0 : 0.5;
  const height = view.top + view.height * line;
  const part = parts.find((each) => each.getBoundingClientRect().bottom >= height) ?? parts.at(-1);
  if (part === undefined) return undefined;
  const box = part.getBoundingClientRect();
  if (box.width === 0 || box.height === 0) return undefined;
  const across = (view.left + view.width / 2 - box.left) / box.width;
  return { part, down: (height - box.top) / box.height, across, line };
}
