/** Rules of the frames that header and items share (OEX reference, sections 1, 7, 10 and 12). */
import { checkDate } from "./date-rules.js";
import type { DocumentElement } from "./document-element.js";
import type { Report } from "./document-problem.js";
import { checkReference } from "./reference-rules.js";

/** Frame without its prefix `hdr` or `itm`, to the elements that make its key among its siblings (section 10). */
const keys: Readonly<Record<string, readonly string[]>> = {
  DateTime: ["vDateTimeType"],
  OrgData: ["vOrgDataType"],
  Address: ["vAddressType"],
  Com: ["vComType"],
  Text: ["vTextType", "vTextLanguage"],
  ConfigText: ["vTextLanguage"],
  Payment: ["vPaymentPart"],
};
/** Attributes that are part of a key. */
const keyAttributes = ["aScopeInfo", "aLocale"];
/** Values in which blanks at the ends count. */
const withBlanks = new Set(["vTextContent", "vValueText", "vReferenceValue"]);

/** Checks the header or one item, with everything inside. */
export function checkFrames(part: DocumentElement, report: Report): void {
  for (const element of part.descendants()) {
    if (element.children.length === 0) checkValue(element, report);
    else {
      checkKeys(element, report);
      checkLines(element, "vTextContent", report);
      checkLines(element, "vValueText", report);
    }
    const frame = element.name.slice(3);
    if (frame === "DateTime") checkDate(element, part, report);
    if (frame === "Text") checkText(element, report);
    if (frame === "Reference") checkReference(element, report);
  }
}

function checkValue(element: DocumentElement, report: Report): void {
  const { name, text, attributes } = element;
  if (name.startsWith("v") && text.trim() === "" && !withBlanks.has(name)) {
    report("empty", element, `${name} is empty, expected a value or no element`);
  } else if (/^[ \t\r\n]|[ \t\r\n]$/.test(text) && !withBlanks.has(name)) {
    report("blanks", element, `${name} is "${text}", expected no blanks around the value`);
  }
  const { aEANType, aBusPartIDType } = attributes;
  const digits =
    aEANType === "EAN-8" ? 8 : aEANType === "EAN-13" || aBusPartIDType === "GLN" ? 13 : undefined;
  if (digits === undefined || (/^\d+$/.test(text) && text.length === digits)) return;
  const type = aEANType ?? aBusPartIDType;
  report("number-length", element, `${name} is ${text}, expected ${digits} digits for ${type}`);
}

function checkKeys(parent: DocumentElement, report: Report): void {
  const seen = new Set<string>();
  for (const frame of parent.children) {
    const names = keys[frame.name.slice(3)];
    if (names === undefined) continue;
    const key = names.map((name) => keyPart(frame.child(name))).join(" ");
    if (seen.has(`${frame.name} ${key}`)) {
      report("key", frame, `${frame.name} ${key} is there twice, expected one per ${names.join(", ")}`);
    }
    seen.add(`${frame.name} ${key}`);
  }
}

function keyPart(element: DocumentElement | undefined): string {
  const attributes = keyAttributes.map((name) => element?.attributes[name]);
  return [element?.text, ...attributes].filter((part) => part !== undefined).join("/");
}

function checkLines(frame: DocumentElement, name: string, report: Report): void {
  for (const [index, line] of frame.all(name).entries()) {
    const { aTextLineNo, aLineFormat } = line.attributes;
    if (aTextLineNo !== String(index + 1)) {
      report("text-line-number", line, `${name}/@aTextLineNo is ${aTextLineNo}, expected ${index + 1}`);
    }
    if (index === 0 && aLineFormat !== "\\") {
      report("first-line", line, `${name}/@aLineFormat of the first line is ${aLineFormat}, expected \\`);
    }
  }
}

function checkText(text: DocumentElement, report: Report): void {
  const lines = text.all("vTextContent");
  const type = text.value("vTextType") ?? "";
  if (type === "ARTS" && lines.length !== 1) {
    report("short-text", text, `${text.name} ARTS has ${lines.length} lines, expected exactly one`);
  }
  if (lines.every((line) => line.text.trim() === "")) {
    report("blank-text", text, `${text.name} ${type} has blank lines only, expected text or no frame`);
  }
}
