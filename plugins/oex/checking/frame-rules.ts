/** Rules of the frames that header and items share (OEX reference, sections 1, 7, 10 and 12). */

import { isBase64, shortened } from "@slipway/sdk";
import { SaxesParser } from "saxes";
import type { DocumentElement, Report } from "./document-element.js";

/**
 * Frame name without the prefix `hdr` or `itm`, mapped to the elements that form its key among its siblings (section
 * 10).
 */
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
/** Values whose leading and trailing blanks are significant. */
const withBlanks = new Set(["vTextContent", "vValueText", "vReferenceValue"]);

/** Checks the header or one item, including all descendants. */
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

// Rules of dates (OEX reference, sections 6.2 and 7.1).

/** Checks one `hdrDateTime` or `itmDateTime` of `part`, which is the header or an item. */
function checkDate(frame: DocumentElement, part: DocumentElement, report: Report): void {
  const date = frame.child("vDateValue");
  if (date === undefined) return;
  const { aDateFormat, aDateCalcBase, aDateCalcMode } = date.attributes;
  const expected = aDateFormat === undefined ? undefined : expectedDate(aDateFormat, date.text);
  if (expected !== undefined) report("date", date, `vDateValue is ${date.text}, expected ${expected}`);
  const isCalculated = aDateFormat === "C";
  for (const [name, value] of Object.entries({ aDateCalcBase, aDateCalcMode })) {
    if ((value !== undefined) === isCalculated) continue;
    const expectation = isCalculated ? "due for" : "allowed only with";
    report("date-base", date, `vDateValue/@${name} is ${value ?? "missing"}: ${expectation} aDateFormat="C"`);
  }
  if (aDateCalcBase === undefined || aDateCalcBase === "*DIO") return;
  const before = part
    .all(frame.name)
    .slice(0, part.children.filter((c) => c.name === frame.name).indexOf(frame));
  if (before.some((other) => other.value("vDateTimeType") === aDateCalcBase)) return;
  const expectation = "expected *DIO or the type of a date before";
  report("date-base", date, `vDateValue/@aDateCalcBase is ${aDateCalcBase}, ${expectation}`);
}

/** The expectation if the value does not match its format; otherwise undefined. */
function expectedDate(format: string, value: string): string | undefined {
  if (format === "D") return isDay(value) ? undefined : "a day as YYYYMMDD";
  if (format === "W") return /^\d{4}(0[1-9]|[1-4]\d|5[0-3])$/.test(value) ? undefined : "a week as YYYYWW";
  if (format === "C") return /^\d{4}$/.test(value) ? undefined : "a number of days with four digits";
  return undefined;
}

function isDay(value: string): boolean {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(value) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const text = `${year}-${month}-${day}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  // For a day beyond the end of a month, the parser either fails or overflows into the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

// Rules of references (OEX reference, sections 9.6 and 14).

/** Leading bytes of these media types. */
const signatures: Readonly<Record<string, readonly string[]>> = {
  "image/png": ["\x89PNG\r\n\x1a\n"],
  "image/jpeg": ["\xff\xd8\xff"],
  "image/gif": ["GIF87a", "GIF89a"],
  "application/pdf": ["%PDF-"],
};

/** Checks one `hdrReference` or `itmReference`: the value matches type and MIME type. */
function checkReference(frame: DocumentElement, report: Report): void {
  const type = frame.child("vReferenceType");
  const value = frame.child("vReferenceValue");
  if (type === undefined || value === undefined) return;
  const mediaType = type.attributes["aMIMEType"] ?? "";
  const problem = problemOf(type.text, mediaType, value);
  if (problem === undefined) return;
  report(
    "reference",
    value,
    `vReferenceValue of ${type.text} ${mediaType} "${shortened(value.text, 40)}": ${problem}`,
  );
}

function problemOf(type: string, mediaType: string, value: DocumentElement): string | undefined {
  if (type === "EDS") return embeddedDataProblem(value.text, mediaType);
  if (type === "XML") return embeddedXmlProblem(value, mediaType);
  if (type === "LNK") return URL.canParse(value.text) ? undefined : "expected a complete URL";
  return undefined;
}

function embeddedDataProblem(value: string, mediaType: string): string | undefined {
  if (value === "" || !isBase64(value)) return "expected Base64 without line breaks";
  const isXml = mediaType.endsWith("/xml") || mediaType.endsWith("+xml");
  const expected = signatures[mediaType];
  if (!isXml && expected === undefined) return undefined;
  const data = Buffer.from(value, "base64");
  if (isXml) return xmlProblem(data.toString("utf8"));
  const start = data.toString("latin1", 0, 16);
  return expected?.some((signature) => start.startsWith(signature))
    ? undefined
    : `expected data of ${mediaType}`;
}

function embeddedXmlProblem(value: DocumentElement, mediaType: string): string | undefined {
  if (mediaType !== "text/plain") return "expected the MIME type text/plain";
  if (value.sections !== 1 || value.hasPlainText) return "expected one CDATA section";
  return xmlProblem(value.text);
}

function xmlProblem(text: string): string | undefined {
  if (text.includes("<![CDATA[")) return "expected XML without CDATA inside";
  const parser = new SaxesParser();
  let problem: string | undefined;
  parser.on("xmldecl", ({ encoding }) => {
    if (encoding !== undefined && encoding.toUpperCase() !== "UTF-8")
      problem ??= `is in ${encoding}, expected UTF-8`;
  });
  parser.on("error", ({ message }) => {
    problem ??= `expected well-formed XML, but ${message}`;
  });
  parser.write(text.trim()).close();
  return problem;
}
