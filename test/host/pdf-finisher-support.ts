/** PDFs for tests of the finisher: what Chromium prints by itself, and such as nobody should send. */
import type { PDFDocumentProxy } from "pdfjs-dist/types/src/pdf.js";
import { launchBrowser } from "../bench/pdf/browser-contenders.js";

/** Prints documents as Chromium does, tagged and with an outline; the finisher does not see them. */
export async function printedByChromium(folder: string, documents: string[]): Promise<Uint8Array[]> {
  const browser = await launchBrowser(folder);
  try {
    const page = await browser.newPage();
    const session = await page.createCDPSession();
    const printed: Uint8Array[] = [];
    for (const html of documents) {
      await page.setContent(html);
      const { data } = await session.send("Page.printToPDF", {
        preferCSSPageSize: true,
        generateTaggedPDF: true,
        generateDocumentOutline: true,
      });
      printed.push(Buffer.from(data, "base64"));
    }
    return printed;
  } finally {
    await browser.close();
  }
}

/** How often each role is in the structure trees of all pages. */
export async function roles(document: PDFDocumentProxy): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const count = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if ("role" in node && typeof node.role === "string") counts[node.role] = (counts[node.role] ?? 0) + 1;
    if ("children" in node && Array.isArray(node.children)) for (const child of node.children) count(child);
  };
  for (let number = 1; number <= document.numPages; number++)
    count(await (await document.getPage(number)).getStructTree());
  return counts;
}

/** The number of the page, from 1, to which the first link on a page leads that names a destination. */
export async function linkedPage(
  document: PDFDocumentProxy,
  pageNumber: number,
): Promise<number | undefined> {
  const page = await document.getPage(pageNumber);
  for (const { dest } of await page.getAnnotations()) {
    if (typeof dest !== "string") continue;
    const target = (await document.getDestination(dest))?.[0];
    return target === undefined ? undefined : (await document.getPageIndex(target)) + 1;
  }
  return undefined;
}

/** A PDF of these objects, numbered from 1; the first one is the catalog. */
export function handWritten(objects: string[], trailer = ""): Uint8Array {
  let text = "%PDF-1.7\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const lines = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines}`;
  text += `trailer\n<</Size ${objects.length + 1} /Root 1 0 R ${trailer.replace("SELF", String(start))}>>\n`;
  return Buffer.from(`${text}startxref\n${start}\n%%EOF\n`, "latin1");
}

const page = "<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 300]>>";
const pages = "<</Type /Pages /Count 1 /Kids [3 0 R]>>";
const catalog = (more = ""): string => `<</Type /Catalog /Pages 2 0 R ${more}>>`;

/** What goes round, lies about its size, or ends in the middle. None of it can be finished. */
export const hostile: Record<string, Uint8Array> = {
  "cross-reference sections that go round": handWritten([catalog(), pages, page], "/Prev SELF"),
  "a page tree that goes round": handWritten([catalog(), "<</Type /Pages /Count 1 /Kids [2 0 R]>>"]),
  "a page that is in the tree twice": handWritten([
    catalog(),
    "<</Type /Pages /Count 2 /Kids [3 0 R 3 0 R]>>",
    page,
  ]),
  "an outline whose items go round": handWritten([
    catalog("/Outlines 4 0 R"),
    pages,
    page,
    "<</First 5 0 R /Last 5 0 R /Count 1>>",
    "<</Title (a) /Parent 4 0 R /Next 5 0 R>>",
  ]),
  "an outline that goes down without end": handWritten([
    catalog("/Outlines 4 0 R"),
    pages,
    page,
    "<</First 5 0 R /Last 5 0 R /Count 1>>",
    "<</Title (a) /Parent 4 0 R /First 5 0 R /Last 5 0 R>>",
  ]),
  "names of destinations that go round": handWritten([
    catalog("/Names <</Dests 4 0 R>>"),
    pages,
    page,
    "<</Kids [4 0 R]>>",
  ]),
  "numbers of the structure tree that go round": handWritten([
    catalog("/StructTreeRoot <</ParentTree 4 0 R>>"),
    pages,
    page,
    "<</Kids [5 0 R]>>",
    "<</Kids [4 0 R]>>",
  ]),
  "references to references without end": handWritten([catalog(), "3 0 R", "2 0 R"]),
  "a stream that is as long as itself": handWritten([
    catalog(),
    pages,
    "<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R>>",
    "<</Length 4 0 R>>\nstream\n\nendstream",
  ]),
  "a stream that is longer than the file": handWritten([
    catalog(),
    pages,
    "<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R>>",
    "<</Length 4294967296>>\nstream\n\nendstream",
  ]),
  "arrays in arrays in arrays": handWritten([catalog(), "[".repeat(100_000)]),
  "a dictionary without end": handWritten([catalog(), "<</Type /Pages /Count 1 /Kids [".repeat(10_000)]),
  "a table of a billion objects": Buffer.from(
    "%PDF-1.7\nxref\n0 1000000000\n0000000000 65535 f \ntrailer\n<</Root 1 0 R>>\nstartxref\n9\n%%EOF",
  ),
  "an object with the number of a billion": Buffer.from(
    "%PDF-1.7\nxref\n1000000000 1\n0000000000 00000 n \ntrailer\n<</Root 1 0 R>>\nstartxref\n9\n%%EOF",
  ),
  "a cross-reference stream of nothing": Buffer.from(
    "%PDF-1.7\n1 0 obj\n<</Type /XRef /W [0 0 0] /Size 1000000000 /Root 1 0 R /Length 0>>\nstream\n\nendstream\nendobj\nstartxref\n9\n%%EOF",
  ),
  "an end that is before the beginning": Buffer.from("%PDF-1.7\nstartxref\n99999999999\n%%EOF"),
  "nothing but the first line": Buffer.from("%PDF-1.7\n"),
  "nothing at all": Buffer.alloc(0),
};
