export { type ChromiumPrinter, type ChromiumPrinterOptions, chromiumPrinter } from "./chromium-printer.js";
