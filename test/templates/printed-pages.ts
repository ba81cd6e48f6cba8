/** What printed pages show, for the tests of templates. */
import { type PdfBox, type PdfRun, readPdf } from "@slipway/sdk/testing";

export type PrintedRun = PdfRun;

/** What a page shows; distances in millimetres from its left and upper edge. */
export interface PrintedPage {
  width: number;
  height: number;
  runs: PdfRun[];
  /** The text in reading order, blanks between runs. */
  text: string;
  /** Boxes of painted paths, such as rules and marks. */
  boxes: PdfBox[];
  images: number;
}

export async function printedPages(pdf: Uint8Array): Promise<PrintedPage[]> {
  const { pages } = await readPdf(pdf);
  return pages.map(({ width, height, runs, boxes, images }) => ({
    ...{ width, height, runs, boxes },
    text: runs.map((run) => run.text).join(" "),
    images: images.length,
  }));
}
