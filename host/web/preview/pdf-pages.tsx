import { useLayoutEffect, useRef } from "preact/hooks";
import type { PdfView } from "./pdf-view.js";

/** Mounts a `PdfView`. */
export function PdfPages({ view }: { view: PdfView }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.append(view.element);
    return () => view.element.remove();
  }, [view]);
  return <div ref={place} class="pages-place" />;
}
