import type { OPS, PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { PdfBox, PdfImage, PdfLink, PdfPage, PdfRun } from "./pdf-content.js";
import { destinationPage } from "./pdf-destinations.js";

const millimetresPerPoint = 25.4 / 72;

/** Tolerance for text on the same baseline, as a fraction of the font size. */
const sameHeight = 0.25;

/** Minimum gap between two runs that counts as a blank, as a fraction of the font size. */
const blankFrom = 0.1;

const millimetre = 72 / 25.4;

/** A page in its own coordinates, in points from the lower left. */
interface PageFrame {
  /** Millimetres. */
  width: number;
  height: number;
  /** Points. */
  originX: number;
  originY: number;
}

type Operators = Awaited<ReturnType<PDFPageProxy["getOperatorList"]>>;

type Matrix = readonly [number, number, number, number, number, number];

const unmoved: Matrix = [1, 0, 0, 1, 0, 0];

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

/** Including surrounding blanks. */
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

/** Pictures and painted paths from the painting operators of a page. */
function paintedShapes(
  { fnArray, argsArray }: Operators,
  operations: typeof OPS,
  frame: PageFrame,
): { images: PdfImage[]; boxes: PdfBox[] } {
  const images: PdfImage[] = [];
  const boxes: PdfBox[] = [];
  const saved: Matrix[] = [];
  let matrix = unmoved;
  fnArray.forEach((operation, index) => {
    const parameters: unknown[] = Array.isArray(argsArray[index]) ? argsArray[index] : [];
    switch (operation) {
      case operations.save:
        saved.push(matrix);
        break;
      case operations.paintFormXObjectBegin:
        saved.push(matrix);
        matrix = product(matrix, numbers(parameters[0]));
        break;
      case operations.restore:
      case operations.paintFormXObjectEnd:
        matrix = saved.pop() ?? matrix;
        break;
      case operations.transform:
        matrix = product(matrix, numbers(parameters));
        break;
      case operations.constructPath: {
        const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers(parameters[2]);
        boxes.push(placed(frame, moved(matrix, x1, y1), moved(matrix, x2, y2)));
        break;
      }
      case operations.paintImageXObject: {
        const [pixelWidth = 0, pixelHeight = 0] = numbers(parameters.slice(1));
        images.push({ ...unitSquare(frame, matrix), pixelWidth, pixelHeight });
        break;
      }
    }
  });
  return { images, boxes };
}

/** Pictures are painted into the unit square. */
function unitSquare(frame: PageFrame, matrix: Matrix): PdfBox {
  return placed(frame, moved(matrix, 0, 0), moved(matrix, 1, 1));
}

function numbers(value: unknown): number[] {
  if (value instanceof Float32Array) return [...value];
  return Array.isArray(value) ? value.map(Number) : [];
}

function product(outer: Matrix, [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: number[]): Matrix {
  const [x1, y1] = [outer[0] * a + outer[2] * b, outer[1] * a + outer[3] * b];
  const [x2, y2] = [outer[0] * c + outer[2] * d, outer[1] * c + outer[3] * d];
  const [x3, y3] = moved(outer, e, f);
  return [x1, y1, x2, y2, x3, y3];
}

function moved([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** `view`: left, lower, right and upper edge in points. */
function pageFrame([left = 0, lower = 0, right = 0, upper = 0]: number[]): PageFrame {
  return {
    width: (right - left) / millimetre,
    height: (upper - lower) / millimetre,
    originX: left,
    originY: lower,
  };
}

/** The rectangle between two corners, converted to millimetres from the upper left. */
function placed(
  { height, originX, originY }: PageFrame,
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
): PdfBox {
  return {
    left: (Math.min(x1, x2) - originX) / millimetre,
    right: (Math.max(x1, x2) - originX) / millimetre,
    top: height - (Math.max(y1, y2) - originY) / millimetre,
    bottom: height - (Math.min(y1, y2) - originY) / millimetre,
  };
}

/**
 * Groups runs, including their surrounding blanks, into lines from top to bottom, each from left to right.
 */
function textLines(runs: readonly PdfRun[]): string[] {
  const lines: PdfRun[][] = [];
  for (const run of [...runs].filter(hasText).sort((one, other) => one.baseline - other.baseline)) {
    const line = lines.at(-1);
    const first = line?.[0];
    if (line !== undefined && first !== undefined && areLevel(first, run)) line.push(run);
    else lines.push([run]);
  }
  return lines.map(lineText);
}

function hasText({ text }: PdfRun): boolean {
  return text.trim() !== "";
}

function areLevel(one: PdfRun, other: PdfRun): boolean {
  const size = Math.min(one.size, other.size) * millimetresPerPoint;
  return Math.abs(one.baseline - other.baseline) <= size * sameHeight;
}

function lineText(line: PdfRun[]): string {
  return flowingText(line.sort((one, other) => one.left - other.left));
}

/** Joins runs, including their surrounding blanks, into one text; adds no blank between adjacent runs. */
function flowingText(runs: readonly PdfRun[]): string {
  const pieces = runs.map((run, index) => {
    const before = runs[index - 1];
    return before === undefined || isAdjacent(before, run) ? run.text : ` ${run.text}`;
  });
  return pieces.join("").replaceAll(/\s+/g, " ").trim();
}

function isAdjacent(before: PdfRun, run: PdfRun): boolean {
  const gap = Math.abs(run.left - before.right);
  return areLevel(before, run) && gap <= run.size * millimetresPerPoint * blankFrom;
}
