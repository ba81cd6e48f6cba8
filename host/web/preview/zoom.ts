/** Zoom: "width" and "page" fit the page into the view; a number is a factor. */

import type { PDFPageProxy } from "./pdf-library.js";
import { PdfPage } from "./pdf-page.js";

export type Zoom = "width" | "page" | number;

const zoomSteps = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const;
const smallest = 0.1;
const largest = 5;
/** Upper limit for fitted pages on large screens. */
const largestFit = 1.5;
/** Margin around pages, in CSS pixels. */
const room = 24;

/** Parses the zoom of an address; "width" for invalid texts. */
export function readZoom(text: string | undefined): Zoom {
  if (text === "page") return "page";
  const factor = Number(text ?? "");
  return factor >= smallest && factor <= largest ? factor : "width";
}

/** The factor of a zoom for these pages in this view. */
export function zoomFactor(zoom: Zoom, sources: readonly PDFPageProxy[], view: HTMLElement): number {
  if (typeof zoom === "number") return zoom;
  const sizes = sources.slice(0, 50).map((source) => PdfPage.size(source));
  const width = Math.max(1, ...sizes.map((size) => size.width));
  const height = Math.max(1, ...sizes.map((size) => size.height));
  const byWidth = (view.clientWidth - 2 * room) / width;
  const byHeight = (view.clientHeight - 2 * room) / height;
  const fitting = zoom === "width" ? byWidth : Math.min(byWidth, byHeight);
  return Math.max(smallest, Math.min(fitting, largestFit));
}

/** The next zoom step in a direction. */
export function nextZoom(factor: number, direction: 1 | -1): number {
  const beyond = (step: number) => (direction === 1 ? step > factor + 0.01 : step < factor - 0.01);
  const found = direction === 1 ? zoomSteps.find(beyond) : zoomSteps.findLast(beyond);
  return found ?? factor;
}
