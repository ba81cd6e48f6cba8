import { partWords } from "../parts/part-words.js";
import { language } from "../parts/words.js";
import { type PDFPageProxy, type RenderTask, TextLayer } from "./pdf-library.js";

/** CSS pixels per point. */
const pixelsPerPoint = 96 / 72;
/** Some browsers refuse larger canvases. */
const mostPixels = 32_000_000;

interface Wanted {
  of: PDFPageProxy;
  zoom: number;
}

/** A finished drawing of a page. */
interface Drawing extends Wanted {
  canvas: HTMLCanvasElement;
}

interface Pending extends Wanted {
  task: RenderTask;
  drawing: Promise<Drawing | undefined>;
}

function isSame(one: Wanted | undefined, source: PDFPageProxy, zoom: number): boolean {
  return one?.of === source && one.zoom === zoom;
}

/** Draws with the resolution of the screen, within the limits of a canvas. */
function startDrawing(source: PDFPageProxy, zoom: number): { canvas: HTMLCanvasElement; task: RenderTask } {
  const { width, height } = PdfPage.size(source);
  const wanted = zoom * window.devicePixelRatio;
  const sharpness = Math.min(wanted, Math.sqrt(mostPixels / (width * height)));
  const viewport = source.getViewport({ scale: sharpness * pixelsPerPoint });
  const canvas = document.createElement("canvas");
  canvas.ariaHidden = "true";
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  return { canvas, task: source.render({ canvas, viewport }) };
}

/** The element of a page, which shows its last drawing until the next one is finished. */
export class PdfPage {
  readonly element = document.createElement("section");
  private source: PDFPageProxy;
  private zoom = 1;
  private shown: Drawing | undefined;
  private pending: Pending | undefined;
  private readonly text = document.createElement("div");

  constructor(number: number, source: PDFPageProxy) {
    this.source = source;
    this.element.className = "page";
    this.element.ariaLabel = partWords.in(language.value).pages.one(number);
    this.text.className = "text-layer";
    this.element.append(this.text);
  }

  /** Width and height in CSS pixels at 100 %. */
  static size(source: PDFPageProxy): { width: number; height: number } {
    return source.getViewport({ scale: pixelsPerPoint });
  }

  /** Takes the size of this page; stretches the drawing until the next one is finished. */
  place(source: PDFPageProxy, zoom: number): void {
    this.source = source;
    this.zoom = zoom;
    const { width, height } = PdfPage.size(source);
    this.element.style.width = `${Math.floor(width * zoom)}px`;
    this.element.style.height = `${Math.floor(height * zoom)}px`;
    this.element.style.setProperty("--total-scale-factor", String(zoom * pixelsPerPoint));
  }

  /** Draws the current page unless it is displayed already. Resolves when it is visible, or was superseded. */
  async draw(): Promise<void> {
    const { source, zoom } = this;
    if (isSame(this.shown, source, zoom)) return;
    try {
      const drawn = await this.prepare(source, zoom);
      if (drawn !== undefined && this.source === source) this.show(drawn);
    } catch (error) {
      // The page was replaced meanwhile, and its document destroyed.
      if (this.source === source) throw error;
    }
  }

  /** Draws a page off-screen; undefined if a later drawing superseded it. */
  prepare(source: PDFPageProxy, zoom: number): Promise<Drawing | undefined> {
    if (this.pending !== undefined && isSame(this.pending, source, zoom)) return this.pending.drawing;
    this.pending?.task.cancel();
    const { canvas, task } = startDrawing(source, zoom);
    const drawing = task.promise
      .then(
        () => ({ canvas, of: source, zoom }),
        (error: unknown) => {
          if (error instanceof Error && error.name === "RenderingCancelledException") return undefined;
          throw error;
        },
      )
      .finally(() => {
        if (this.pending === pending) this.pending = undefined;
      });
    const pending = { of: source, zoom, task, drawing };
    this.pending = pending;
    return drawing;
  }

  /** Shows a prepared drawing. */
  show(drawn: Drawing): void {
    if (this.shown === drawn) return;
    const isOtherPage = this.shown?.of !== drawn.of;
    if (this.shown === undefined) this.element.prepend(drawn.canvas);
    else this.shown.canvas.replaceWith(drawn.canvas);
    this.shown = drawn;
    if (isOtherPage) this.showText(drawn.of);
  }

  /** Drops the drawing, which uses memory or is outdated. */
  clear(): void {
    this.pending?.task.cancel();
    this.shown?.canvas.remove();
    this.shown = undefined;
    this.text.replaceChildren();
  }

  /** Whether the drawing is of an earlier document. */
  get isStale(): boolean {
    return this.shown !== undefined && this.shown.of !== this.source;
  }

  /** Lays the invisible text over the drawing, for selection, search and screen readers. */
  private showText(source: PDFPageProxy): void {
    const viewport = source.getViewport({ scale: this.zoom * pixelsPerPoint });
    const container = document.createElement("div");
    const layer = new TextLayer({ textContentSource: source.streamTextContent(), container, viewport });
    layer.render().then(
      () => {
        if (this.shown?.of !== source) return;
        this.text.style.cssText = container.style.cssText;
        this.text.replaceChildren(...container.childNodes);
      },
      () => undefined, // the document was destroyed
    );
  }
}
