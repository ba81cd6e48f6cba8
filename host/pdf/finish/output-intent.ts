import {
  isKind,
  type PdfFile,
  packedStream,
  pdfArray,
  pdfDictionary,
  pdfName,
  pdfText,
} from "@slipway/sdk/runtime/pdf";

/** sRGB as an ICC profile of version 4, from the collection Compact-ICC-Profiles by saucecontrol (CC0). */
const profile = Buffer.from(
  "AAAB4GxjbXMEIAAAbW50clJHQiBYWVogB+IAAwAUAAkADgAdYWNzcE1TRlQAAAAAc2F3c2N0cmwAAAAAAAAAAAAAAAAAAPbWAAEA" +
    "AAAA0y1oYW5keem/Vlo+AbaDI4VVRvdPqgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAKZGVzYwAAAPwAAAAkY3BydAAA" +
    "ASAAAAAid3RwdAAAAUQAAAAUY2hhZAAAAVgAAAAsclhZWgAAAYQAAAAUZ1hZWgAAAZgAAAAUYlhZWgAAAawAAAAUclRSQwAAAcAA" +
    "AAAgZ1RSQwAAAcAAAAAgYlRSQwAAAcAAAAAgbWx1YwAAAAAAAAABAAAADGVuVVMAAAAIAAAAHABzAFIARwBCbWx1YwAAAAAAAAAB" +
    "AAAADGVuVVMAAAAGAAAAHABDAEMAMAAAWFlaIAAAAAAAAPbWAAEAAAAA0y1zZjMyAAAAAAABDD8AAAXd///zJgAAB5AAAP2S///7" +
    "of///aIAAAPcAADAcVhZWiAAAAAAAABvoAAAOPIAAAOPWFlaIAAAAAAAAGKWAAC3iQAAGNpYWVogAAAAAAAAJKAAAA+FAAC2xHBh" +
    "cmEAAAAAAAMAAAACZmkAAPKnAAANWQAAE9AAAApb",
  "base64",
);

/** Says that colours are those of sRGB, which is what browsers paint; without `stated`, that nothing is known. */
export function stateOutputIntent(file: PdfFile, stated: boolean): void {
  const { entries } = file.catalog;
  if (!stated) entries.delete("OutputIntents");
  else if (!isKind(entries.get("OutputIntents"), "array")) {
    const name = pdfText("sRGB");
    const intent = pdfDictionary({
      Type: pdfName("OutputIntent"),
      S: pdfName("GTS_PDFA1"),
      OutputConditionIdentifier: name,
      Info: name,
      DestOutputProfile: file.add(packedStream(profile, { N: 3 })),
    });
    entries.set("OutputIntents", pdfArray([file.add(intent)]));
  }
}
