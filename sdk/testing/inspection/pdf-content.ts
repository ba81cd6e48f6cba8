/** What a PDF says, as far as a test may ask. */
export interface PdfContent {
  /** In their order. */
  pages: PdfPage[];
  /** The texts of all pages, with a line feed between pages. */
  text: string;
  /** Of the document information; undefined where it has none. */
  title: string | undefined;
  /** Of the whole document, such as "de-DE". */
  language: string | undefined;
  /** Whether it has structure for those who have it read to them. */
  tagged: boolean;
  /** The bookmarks at the top; others are their children. */
  outline: PdfOutlineEntry[];
  /** Files that it carries. */
  attachments: PdfAttachment[];
}

/** One page. All distances are in millimetres from its left and upper edge. */
export interface PdfPage {
  /** Millimetres, as the page is shown. */
  width: number;
  /** Millimetres, as the page is shown. */
  height: number;
  /** The text in the order in which it was written, as one line: phrases are found wherever the page breaks them. */
  text: string;
  /** The text as it stands: from top to bottom, what stands at one height in one line, from left to right. */
  lines: string[];
  /** Pieces of text with their places, in the order in which they were written. */
  runs: PdfRun[];
  /** Places to click. */
  links: PdfLink[];
  /** Pictures with their places. */
  images: PdfImage[];
  /** Around painted paths, such as rules and marks. */
  boxes: PdfBox[];
}

/** A rectangle on a page, in millimetres from its left and upper edge. */
export interface PdfBox {
  /** Millimetres from the left edge. */
  left: number;
  /** Millimetres from the upper edge. */
  top: number;
  /** Millimetres from the left edge, too. */
  right: number;
  /** Millimetres from the upper edge, too. */
  bottom: number;
}

/** A piece of text that was written at once, without blanks around it. */
export interface PdfRun {
  /** What it says. */
  text: string;
  /** Millimetres from the left edge. */
  left: number;
  /** Millimetres from the left edge, too. */
  right: number;
  /** Millimetres from the upper edge. */
  baseline: number;
  /** Of the type, in points. */
  size: number;
}

/** A place to click. */
export interface PdfLink extends PdfBox {
  /** Where it leads outside of the document. */
  url: string | undefined;
  /** The page that it leads to, from 1. */
  page: number | undefined;
}

/** A picture where it was painted; one that was painted twice is there twice. */
export interface PdfImage extends PdfBox {
  /** Picture points. */
  pixelWidth: number;
  /** Picture points. */
  pixelHeight: number;
}

/** A bookmark. */
export interface PdfOutlineEntry {
  /** What readers see of it. */
  title: string;
  /** From 1; undefined where it leads to no page. */
  page: number | undefined;
  /** The bookmarks below it. */
  children: PdfOutlineEntry[];
}

/** A file inside of a PDF. */
export interface PdfAttachment {
  /** Its file name. */
  name: string;
  /** Its content. */
  bytes: Uint8Array;
}
