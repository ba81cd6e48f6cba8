/** The PDF library, with one worker per page. */
import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentProxy,
  PDFWorker,
  VerbosityLevel,
} from "./pdfjs/pdf.min.mjs";

export { type PDFDocumentProxy, type PDFPageProxy, type RenderTask, TextLayer } from "./pdfjs/pdf.min.mjs";

const address = (path: string): string => new URL(`./pdfjs/${path}`, import.meta.url).href;
GlobalWorkerOptions.workerSrc = address("pdf.worker.min.mjs");
const worker = PDFWorker.create({ verbosity: VerbosityLevel.ERRORS });

/** Reads a PDF; transfers its bytes to the worker. Rejects for other data. */
export function readPdf(data: ArrayBuffer): Promise<PDFDocumentProxy> {
  return getDocument({
    data,
    worker,
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    cMapUrl: address("cmaps/"),
    cMapPacked: true,
    standardFontDataUrl: address("standard_fonts/"),
    iccUrl: address("iccs/"),
    wasmUrl: address("wasm/"),
  }).promise;
}
