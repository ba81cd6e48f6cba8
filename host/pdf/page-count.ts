/**
 * The number of pages of a PDF that Chromium wrote: the largest `/Count` of its page tree (PDF 32000-1, 7.7.3). Its
 * page tree nodes are never inside of compressed streams.
 */
export function pageCount(pdf: Buffer): number {
  let pages = 0;
  for (
    let start = pdf.indexOf("/Type /Pages");
    start !== -1;
    start = pdf.indexOf("/Type /Pages", start + 1)
  ) {
    const end = pdf.indexOf("endobj", start);
    const node = pdf.toString("latin1", start, end === -1 ? undefined : end);
    pages = Math.max(pages, Number(/\/Count\s+(\d+)/.exec(node)?.[1] ?? 0));
  }
  return pages;
}
