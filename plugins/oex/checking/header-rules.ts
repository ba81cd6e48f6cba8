/** Rules of `docHeader` (OEX reference, section 4). */
import type { OexFormat } from "../document/oex-format.js";
import type { DocumentElement } from "./document-element.js";
import type { Report } from "./document-problem.js";

export function checkHeader(header: DocumentElement, format: OexFormat, report: Report): void {
  checkDueDates(header, format, report);
  checkDueAddresses(header, format, report);
  checkDocumentNumbers(header, format, report);
  for (const [index, payment] of header.all("hdrPayment").entries()) {
    const part = payment.value("vPaymentPart");
    if (part === String(index + 1)) continue;
    report("payment-part", payment, `vPaymentPart is ${part}, expected ${index + 1}`);
  }
}

function checkDueDates(header: DocumentElement, { type, version }: OexFormat, report: Report): void {
  const dates = new Map(header.all("hdrDateTime").map((date) => [date.value("vDateTimeType"), date]));
  const due = type === "ORDERS" ? ["DOC"] : version === "2.3" ? ["DOC", "QUO", "DLD"] : ["DOC", "QUO"];
  for (const code of due) {
    if (!dates.has(code))
      report("due-date", header, `hdrDateTime ${code} is missing, due in ${type} ${version}`);
  }
  const written = dates.get("DOC");
  if (written === undefined || written.child("vTimeValue") !== undefined) return;
  report("document-time", written, "hdrDateTime DOC has no vTimeValue, expected the time of writing");
}

function checkDueAddresses(header: DocumentElement, { type, version }: OexFormat, report: Report): void {
  if (type !== "QUOTES") return;
  const codes = header.all("hdrAddress").map((address) => address.value("vAddressType"));
  if (codes.length === 0)
    report("due-address", header, "hdrAddress is missing, expected at least one in QUOTES");
  if (version === "2.3" && !codes.includes("SH")) {
    report("due-address", header, "hdrAddress SH is missing, due in QUOTES 2.3");
  }
}

/** Neither the own number nor that of the direct predecessor, which version 2.3 has nowhere else. */
function checkDocumentNumbers(header: DocumentElement, { type }: OexFormat, report: Report): void {
  const own = type === "ORDERS" ? "vOrderNumber" : "vQuoteNumber";
  const taken = new Map([
    [`${type === "ORDERS" ? "ORD" : "QUO"} ${header.value(own)}`, own],
    [`${header.value("vPrecedingDocType")} ${header.value("vPrecedingDocNo")}`, "vPrecedingDocNo"],
  ]);
  for (const frame of header.all("hdrDocNo")) {
    const number = `${frame.value("vDocNoType")} ${frame.value("vDocNo")}`;
    const name = taken.get(number);
    if (name === undefined) continue;
    report("document-number", frame, `hdrDocNo ${number} repeats ${name}, expected other documents only`);
  }
}
