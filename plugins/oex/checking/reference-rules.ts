/** Rules of references (OEX reference, sections 9.6 and 14). */
import { isBase64 } from "@slipway/sdk";
import { SaxesParser } from "saxes";
import type { DocumentElement } from "./document-element.js";
import type { Report } from "./document-problem.js";

/** How data of these types begin. */
const signatures: Readonly<Record<string, readonly string[]>> = {
  "image/png": ["\x89PNG\r\n\x1a\n"],
  "image/jpeg": ["\xff\xd8\xff"],
  "image/gif": ["GIF87a", "GIF89a"],
  "application/pdf": ["%PDF-"],
};

/** Checks one `hdrReference` or `itmReference`: its value fits type and MIME type. */
export function checkReference(frame: DocumentElement, report: Report): void {
  const type = frame.child("vReferenceType");
  const value = frame.child("vReferenceValue");
  if (type === undefined || value === undefined) return;
  const mediaType = type.attributes["aMIMEType"] ?? "";
  const problem = problemOf(type.text, mediaType, value);
  if (problem === undefined) return;
  report(
    "reference",
    value,
    `vReferenceValue of ${type.text} ${mediaType} "${shortened(value.text)}": ${problem}`,
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

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}
