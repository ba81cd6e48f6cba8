import type { OPS, PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { paintedShapes } from "./painted-shapes.js";
import type { PdfLink, PdfPage, PdfRun } from "./pdf-content.js";
import { destinationPage } from "./pdf-destinations.js";
import { type PageFrame, pageFrame, placed } from "./pdf-lengths.js";
import { flowingText, textLines } from "./text-lines.js";

/** Everything on a page. */
export async function readPage(
  document: PDFDocumentProxy,
  page: PDFPageProxy,
  operations: typeof OPS,
): Promise<PdfPage> {
  const frame = pageFrame(page.view);
  const content = await page.getTextContent();
  const written = content.items.flatMap((item) => ("str" in item ? [writtenRun(item, frame)] : []));
  const runs = written.map((run) => ({ ...run, text: run.text.trim() })).filter(({ text }) => text !== "");
  const shapes = paintedShapes(await page.getOperatorList(), operations, frame);
  page.cleanup();
  return {
    width: frame.width,
    height: frame.height,
    text: flowingText(written),
    lines: textLines(written),
    runs,
    links: await linksOf(document, page, frame),
    ...shapes,
  };
}

interface WrittenText {
  str: string;
  transform: unknown[];
  width: number;
}

/** With the blanks around it. */
function writtenRun({ str, transform, width }: WrittenText, frame: PageFrame): PdfRun {
  const [size = 0, , , , x = 0, y = 0] = transform.map(Number);
  const { left, right, bottom } = placed(frame, [x, y], [x + width, y]);
  return { text: str, left, right, baseline: bottom, size };
}

async function linksOf(document: PDFDocumentProxy, page: PDFPageProxy, frame: PageFrame): Promise<PdfLink[]> {
  const links: PdfLink[] = [];
  const annotations: unknown[] = await page.getAnnotations();
  for (const annotation of annotations) {
    if (typeof annotation !== "object" || annotation === null) continue;
    const { subtype, rect, url, unsafeUrl, dest }: Record<string, unknown> = { ...annotation };
    if (subtype !== "Link" || !Array.isArray(rect)) continue;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = rect.map(Number);
    const address = url ?? unsafeUrl;
    links.push({
      ...placed(frame, [x1, y1], [x2, y2]),
      url: typeof address === "string" ? address : undefined,
      page: await destinationPage(document, dest),
    });
  }
  return links;
}
