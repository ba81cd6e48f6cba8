/**
 * Replaces `PDFViewer` of pdfjs-dist/web, whose `setDocument` empties the view, so that each save would flicker, and which adds
 * 225 KB instead of 7.
 */

import { partWords } from "../parts/part-words.js";
import { language } from "../parts/words.js";
import { type PDFDocumentProxy, type PDFPageProxy, readPdf } from "./pdf-library.js";
import { PdfPage } from "./pdf-page.js";
import { type Zoom, zoomFactor } from "./zoom.js";

/** Margin around the visible area within which pages are drawn. */
const ahead = "150% 0px";

export interface PdfViewListeners {
  /** Called when current page, number of pages or zoom factor change. */
  changed(): void;
  /** Called when drawing a page fails. */
  failed(error: unknown): void;
}

/** Shows the pages of a PDF, one below the other. Replaces the PDF without flicker. */
export class PdfView {
  readonly element = document.createElement("div");
  private pages: PdfPage[] = [];
  private sources: PDFPageProxy[] = [];
  private document: PDFDocumentProxy | undefined;
  private zoom: Zoom = "width";
  private readonly near = new Set<PdfPage>();
  private readonly nearby: IntersectionObserver;
  private readonly resized = new ResizeObserver(() => this.layOut());

  constructor(private readonly listeners: PdfViewListeners) {
    this.element.className = "pages";
    this.element.tabIndex = 0;
    this.element.role = "region";
    this.element.ariaLabel = partWords.in(language.value).pages.all;
    this.nearby = new IntersectionObserver((entries) => this.sawPages(entries), {
      root: this.element,
      rootMargin: ahead,
    });
    this.resized.observe(this.element);
    let isDue = false;
    this.element.addEventListener("scroll", () => {
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        this.listeners.changed();
      });
    });
  }

  /** Stops all observers, and destroys the document. */
  close(): void {
    this.nearby.disconnect();
    this.resized.disconnect();
    void this.document?.destroy(); // in the background
    this.sources = [];
  }

  get pageCount(): number {
    return this.pages.length;
  }

  /** The page in the middle of the view, from 1; 0 without pages. */
  get currentPage(): number {
    const { top, height } = this.element.getBoundingClientRect();
    const middle = top + height / 2;
    const below = this.pages.findIndex((page) => page.element.getBoundingClientRect().bottom >= middle);
    return below === -1 ? this.pages.length : below + 1;
  }

  /** The zoom factor. */
  get factor(): number {
    return zoomFactor(this.zoom, this.sources, this.element);
  }

  goTo(page: number): void {
    const at = Math.max(1, Math.min(page, this.pages.length)) - 1;
    this.pages[at]?.element.scrollIntoView({ block: "start" });
  }

  setZoom(zoom: Zoom): void {
    this.zoom = zoom;
    this.layOut();
  }

  /**
   * Shows a PDF. Draws the visible pages before it replaces those of the earlier PDF; then it resolves. Does nothing after
   * `signal` aborts. Rejects if the bytes are not a PDF.
   */
  async show(data: ArrayBuffer, signal: AbortSignal): Promise<void> {
    const next = await readPdf(data);
    const before = this.document;
    try {
      const numbers = Array.from({ length: next.numPages }, (_, index) => index + 1);
      const sources = await Promise.all(numbers.map((number) => next.getPage(number)));
      signal.throwIfAborted();
      if (before === undefined) this.take(next, sources);
      const drawn = await this.prepareVisible(sources);
      signal.throwIfAborted();
      this.take(next, sources);
      for (const { page, drawing } of drawn) if (drawing !== undefined) page.show(drawing);
    } catch (error) {
      if (this.document !== next) await next.destroy();
      throw error;
    }
    // The person may have scrolled meanwhile.
    await Promise.all(this.visible().map((index) => this.pages[index]?.draw()));
    for (const page of this.pages) if (page.isStale && !this.near.has(page)) page.clear();
    this.drawNear();
    void before?.destroy(); // in the background
  }

  private prepareVisible(sources: readonly PDFPageProxy[]) {
    const last = Math.min(this.pages.length, sources.length) - 1;
    const visible = this.visible().filter((index) => index <= last);
    const zoom = zoomFactor(this.zoom, sources, this.element);
    return Promise.all(
      (visible.length > 0 ? visible : [Math.max(0, last)]).flatMap((index) => {
        const [page, source] = [this.pages[index], sources[index]];
        if (page === undefined || source === undefined) return [];
        return [page.prepare(source, zoom).then((drawing) => ({ page, drawing }))];
      }),
    );
  }

  /** Indexes of the visible pages. */
  private visible(): number[] {
    const view = this.element.getBoundingClientRect();
    return [...this.pages.keys()].filter((index) => {
      const box = this.pages[index]?.element.getBoundingClientRect();
      return box !== undefined && box.bottom > view.top && box.top < view.bottom;
    });
  }

  /** Makes elements for these pages; existing ones keep their drawings. */
  private take(document: PDFDocumentProxy, sources: PDFPageProxy[]): void {
    this.document = document;
    for (const page of this.pages.splice(sources.length)) {
      this.nearby.unobserve(page.element);
      this.near.delete(page);
      page.clear();
      page.element.remove();
    }
    for (const [index, source] of sources.entries()) {
      if (this.pages[index] !== undefined) continue;
      const page = new PdfPage(index + 1, source);
      this.pages.push(page);
      this.element.append(page.element);
      this.nearby.observe(page.element);
    }
    this.sources = sources;
    this.place();
  }

  private layOut(): void {
    if (this.sources.length === 0) return;
    this.place();
    this.drawNear();
  }

  private place(): void {
    const factor = this.factor;
    keepingPlace(
      this.element,
      this.pages.map((page) => page.element),
      () => {
        for (const [index, source] of this.sources.entries()) this.pages[index]?.place(source, factor);
      },
    );
    this.listeners.changed();
  }

  private sawPages(entries: IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const page = this.pages.find((each) => each.element === target);
      if (page === undefined) continue;
      if (isIntersecting) this.near.add(page);
      else {
        this.near.delete(page);
        page.clear();
      }
    }
    this.drawNear();
  }

  private drawNear(): void {
    for (const page of this.pages) {
      if (this.near.has(page)) page.draw().catch((error: unknown) => this.listeners.failed(error));
    }
  }
}

/** Changes the sizes in a scroller, but keeps the place in its middle. */
function keepingPlace(scroller: HTMLElement, parts: readonly HTMLElement[], change: () => void): void {
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
  // At the top, the view stays at the top.
  const line = scroller.scrollTop < 2 ? 0 : 0.5;
  const height = view.top + view.height * line;
  const part = parts.find((each) => each.getBoundingClientRect().bottom >= height) ?? parts.at(-1);
  if (part === undefined) return undefined;
  const box = part.getBoundingClientRect();
  if (box.width === 0 || box.height === 0) return undefined;
  const across = (view.left + view.width / 2 - box.left) / box.width;
  return { part, down: (height - box.top) / box.height, across, line };
}
