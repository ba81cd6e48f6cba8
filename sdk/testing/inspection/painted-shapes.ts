import type { OPS, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { PdfBox, PdfImage } from "./pdf-content.js";
import { type PageFrame, placed } from "./pdf-lengths.js";

type Operators = Awaited<ReturnType<PDFPageProxy["getOperatorList"]>>;
type Matrix = readonly [number, number, number, number, number, number];

const unmoved: Matrix = [1, 0, 0, 1, 0, 0];

/** Pictures and painted paths of a page, by what it does to paint itself. */
export function paintedShapes(
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

/** Pictures are painted into the square from 0 to 1. */
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
