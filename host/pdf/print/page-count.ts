/** How a node of the page tree begins; titles cannot say the same, because line ends are escaped in strings. */
const node = " obj\n<</Type /Pages\n";

/**
 * The number of pages of a PDF that Chromium wrote: the largest `/Count` of its page tree (PDF 32000-1, 7.7.3). Its
 * page tree nodes are never inside of compressed streams.
 */
export function pageCount(pdf: Buffer): number {
  let pages = 0;
  for (let start = pdf.indexOf(node); start !== -1; start = pdf.indexOf(node, start + 1)) {
    const end = pdf.indexOf("endobj", start);
    const entries = pdf.toString("latin1", start, end === -1 ? undefined : end);
    pages = Math.max(pages, Number(/\/Count\s+(\d+)/.exec(entries)?.[1] ?? 0));
  }
  return pages;
}
