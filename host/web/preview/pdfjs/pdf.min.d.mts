/** The host serves the library under this name, whatever folder it is installed in. */
export * from "pdfjs-dist";
