import { getDocument, OPS } from "pdfjs-dist/legacy/build/pdf.mjs";

/** What a page shows; distances in millimetres from its left and upper edge. */
export interface PrintedPage {
  width: number;
  height: number;
  runs: PrintedRun[];
  /** The text in reading order, blanks between runs. */
  text: string;
  /** Boxes of painted paths, such as rules and marks. */
  boxes: { left: number; top: number; right: number; bottom: number }[];
  images: number;
}

export interface PrintedRun {
  text: string;
  left: number;
  right: number;
  baseline: number;
  /** Points. */
  size: number;
}

const millimetre = 72 / 25.4;

export async function printedPages(pdf: Uint8Array): Promise<PrintedPage[]> {
  const task = getDocument({ data: pdf.slice(), verbosity: 0 });
  const document = await task.promise;
  const pages: PrintedPage[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const [, , width = 0, height = 0] = page.view;
    const content = await page.getTextContent();
    const runs = content.items.flatMap((item) =>
      "str" in item && item.str.trim() !== "" ? [printedRun(item, height)] : [],
    );
    const { fnArray, argsArray } = await page.getOperatorList();
    pages.push({
      width: width / millimetre,
      height: height / millimetre,
      runs,
      text: runs.map((run) => run.text).join(" "),
      boxes: paintedBoxes(fnArray, argsArray, height),
      images: fnArray.filter((operation) => operation === OPS.paintImageXObject).length,
    });
  }
  await task.destroy();
  return pages;
}

function printedRun(item: { str: string; transform: unknown[]; width: number }, height: number): PrintedRun {
  const [size = 0, , , , left = 0, bottom = 0] = item.transform.map(Number);
  return {
    text: item.str.trim(),
    left: left / millimetre,
    right: (left + item.width) / millimetre,
    baseline: (height - bottom) / millimetre,
    size,
  };
}

type Matrix = [number, number, number, number, number, number];

function paintedBoxes(operations: number[], parameters: unknown[], height: number): PrintedPage["boxes"] {
  const boxes: PrintedPage["boxes"] = [];
  const saved: Matrix[] = [];
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  operations.forEach((operation, index) => {
    if (operation === OPS.save) saved.push(matrix);
    else if (operation === OPS.restore) matrix = saved.pop() ?? matrix;
    else if (operation === OPS.transform) matrix = product(matrix, numbers(parameters[index]));
    else if (operation === OPS.constructPath) {
      const bounds = Array.isArray(parameters[index]) ? numbers(parameters[index][2]) : [];
      const [x1, y1] = moved(matrix, bounds[0] ?? 0, bounds[1] ?? 0);
      const [x2, y2] = moved(matrix, bounds[2] ?? 0, bounds[3] ?? 0);
      boxes.push({
        left: Math.min(x1, x2) / millimetre,
        right: Math.max(x1, x2) / millimetre,
        top: (height - Math.max(y1, y2)) / millimetre,
        bottom: (height - Math.min(y1, y2)) / millimetre,
      });
    }
  });
  return boxes;
}

function numbers(value: unknown): number[] {
  return ArrayBuffer.isView(value) && value instanceof Float32Array
    ? [...value]
    : Array.isArray(value)
      ? value.map(Number)
      : [];
}

function product(outer: Matrix, inner: number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = inner;
  const [x1, y1] = [outer[0] * a + outer[2] * b, outer[1] * a + outer[3] * b];
  const [x2, y2] = [outer[0] * c + outer[2] * d, outer[1] * c + outer[3] * d];
  const [x3, y3] = moved(outer, e, f);
  return [x1, y1, x2, y2, x3, y3];
}

function moved([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}
