import { partWords } from "../parts/part-words.js";
import { language } from "../parts/words.js";
import { type PDFPageProxy, type RenderTask, TextLayer } from "./pdf-library.js";

/** CSS pixels of a point. */
const pixelsPerPoint = 96 / 72;
/** Canvases beyond this are refused by some browsers. */
const mostPixels = 32_000_000;

interface Wanted {
  of: PDFPageProxy;
  zoom: number;
}

/** What is ready to be shown in place of what a page shows. */
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

/** As sharp as the screen, as far as a canvas can be. */
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

/** A place for one page, which shows its last picture until there is a new one. */
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

  /** From now on the place has the size of this page; its picture is stretched until it is drawn again. */
  place(source: PDFPageProxy, zoom: number): void {
    this.source = source;
    this.zoom = zoom;
    const { width, height } = PdfPage.size(source);
    this.element.style.width = `${Math.floor(width * zoom)}px`;
    this.element.style.height = `${Math.floor(height * zoom)}px`;
    this.element.style.setProperty("--total-scale-factor", String(zoom * pixelsPerPoint));
  }

  /** Draws what is to be shown here, if it is not what is shown; resolves when it is to be seen, or when it was overtaken. */
  async draw(): Promise<void> {
    const { source, zoom } = this;
    if (isSame(this.shown, source, zoom)) return;
    try {
      const drawn = await this.prepare(source, zoom);
      if (drawn !== undefined && this.source === source) this.show(drawn);
    } catch (error) {
      // The document of a page that was replaced meanwhile is gone.
      if (this.source === source) throw error;
    }
  }

  /** Draws a page out of sight; undefined when another drawing of this place overtook it. */
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

  /** Shows what was prepared. */
  show(drawn: Drawing): void {
    if (this.shown === drawn) return;
    const isOtherPage = this.shown?.of !== drawn.of;
    if (this.shown === undefined) this.element.prepend(drawn.canvas);
    else this.shown.canvas.replaceWith(drawn.canvas);
    this.shown = drawn;
    if (isOtherPage) this.showText(drawn.of);
  }

  /** Forgets the picture, which takes memory, or shows what is no more. */
  clear(): void {
    this.pending?.task.cancel();
    this.shown?.canvas.remove();
    this.shown = undefined;
    this.text.replaceChildren();
  }

  /** Whether a picture of another page than the one that belongs here is shown. */
  get isStale(): boolean {
    return this.shown !== undefined && this.shown.of !== this.source;
  }

  /** Lays the text over the picture, invisible, so that it can be selected, searched and read aloud. */
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
      () => undefined, // the document is gone, and so is its text
    );
  }
}
