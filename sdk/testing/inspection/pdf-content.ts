/** What a PDF says, as far as a test may ask. */
export interface PdfContent {
  pages: PdfPage[];
  /** The texts of all pages, with a line feed between pages. */
  text: string;
  title: string | undefined;
  /** Of the whole document, such as "de-DE". */
  language: string | undefined;
  /** Whether it has structure for those who have it read to them. */
  tagged: boolean;
  outline: PdfOutlineEntry[];
  attachments: PdfAttachment[];
}

/** One page. All distances are in millimetres from its left and upper edge. */
export interface PdfPage {
  width: number;
  height: number;
  /** The text in the order in which it was written, as one line: phrases are found wherever the page breaks them. */
  text: string;
  /** The text as it stands: from top to bottom, what stands at one height in one line, from left to right. */
  lines: string[];
  runs: PdfRun[];
  links: PdfLink[];
  images: PdfImage[];
  /** Around painted paths, such as rules and marks. */
  boxes: PdfBox[];
}

/** A rectangle on a page, in millimetres from its left and upper edge. */
export interface PdfBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A piece of text that was written at once, without blanks around it. */
export interface PdfRun {
  text: string;
  /** Millimetres from the left edge. */
  left: number;
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
  pixelHeight: number;
}

/** A bookmark. */
export interface PdfOutlineEntry {
  title: string;
  /** From 1; undefined where it leads to no page. */
  page: number | undefined;
  children: PdfOutlineEntry[];
}

/** A file inside of a PDF. */
export interface PdfAttachment {
  name: string;
  bytes: Uint8Array;
}
