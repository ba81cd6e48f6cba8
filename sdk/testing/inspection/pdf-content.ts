/** The content of a PDF, for assertions in tests. */
export interface PdfContent {
  /** In page order. */
  pages: PdfPage[];
  /** The texts of all pages, with a line feed between pages. */
  text: string;
  /** From the document information; undefined if it has no title. */
  title: string | undefined;
  /** Of the whole document, for example "de-DE". */
  language: string | undefined;
  /** Whether it contains structure for assistive technology. */
  tagged: boolean;
  /** The top-level bookmarks; others are their children. */
  outline: PdfOutlineEntry[];
  /** Embedded files. */
  attachments: PdfAttachment[];
}

/** One page. All distances are in millimetres from its left and upper edge. */
export interface PdfPage {
  /** Millimetres, as the page is shown. */
  width: number;
  /** Millimetres, as the page is shown. */
  height: number;
  /** The text in writing order, on one line, so that phrases can be found across line breaks. */
  text: string;
  /** The text by position: lines from top to bottom, each from left to right. */
  lines: string[];
  /** Text runs with their positions, in writing order. */
  runs: PdfRun[];
  /** Clickable areas. */
  links: PdfLink[];
  /** Pictures with their positions. */
  images: PdfImage[];
  /** Bounding boxes of painted paths, such as rules and marks. */
  boxes: PdfBox[];
}

/** A rectangle on a page, in millimetres from its left and upper edge. */
export interface PdfBox {
  /** Millimetres from the left edge. */
  left: number;
  /** Millimetres from the upper edge. */
  top: number;
  /** Millimetres from the left edge. */
  right: number;
  /** Millimetres from the upper edge. */
  bottom: number;
}

/** A text run written in one operation, without surrounding blanks. */
export interface PdfRun {
  /** The text. */
  text: string;
  /** Millimetres from the left edge. */
  left: number;
  /** Millimetres from the left edge. */
  right: number;
  /** Millimetres from the upper edge. */
  baseline: number;
  /** Font size in points. */
  size: number;
}

/** A clickable area. */
export interface PdfLink extends PdfBox {
  /** Target outside the document. */
  url: string | undefined;
  /** Target page, from 1. */
  page: number | undefined;
}

/** A painted picture; one that is painted twice is listed twice. */
export interface PdfImage extends PdfBox {
  /** Width of the picture in pixels. */
  pixelWidth: number;
  /** Height of the picture in pixels. */
  pixelHeight: number;
}

/** A bookmark. */
export interface PdfOutlineEntry {
  /** The visible text. */
  title: string;
  /** From 1; undefined if it does not link to a page. */
  page: number | undefined;
  /** The bookmarks below it. */
  children: PdfOutlineEntry[];
}

/** A file embedded in a PDF. */
export interface PdfAttachment {
  /** Its file name. */
  name: string;
  /** Its content. */
  bytes: Uint8Array;
}
