/**
 * The documents that all services print: the same HTML with the same pictures, which a host has in its session and prints from
 * there, as reports do, while the contenders load them from a server on the same machine once and keep them.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { ProjectDocument } from "@slipway/sdk";
import { atEnd } from "../measuring/clean-up.js";
import { largeProject } from "../pdf/large-project.js";

export interface PrintDocument {
  name: string;
  /** Its pictures are those of the session. */
  html: string;
  htmlWithLinks: string;
  pages: number;
  pictures: number;
}

export interface PrintDocuments {
  /** Has the pictures. */
  project: ProjectDocument;
  onePage: PrintDocument;
  manyPages: PrintDocument;
}

const pictures = 100;
/** Of a page of the long document, whose first one has the addresses. */
const rowsPerPage = 10;

/** Makes the documents and serves their pictures until the end of the benchmark. */
export async function servePrintDocuments(): Promise<PrintDocuments> {
  const project = await largeProject(pictures, pictures);
  const files = new Map<string, Buffer>();
  for (const { base64 = "" } of Object.values(project.assets ?? {})) {
    const content = Buffer.from(base64, "base64");
    files.set(`/assets/${createHash("sha256").update(content).digest("hex")}`, content);
  }
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    if (file === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "image/png", "cache-control": "max-age=31536000, immutable" });
    response.end(file);
  }).listen(0, "127.0.0.1");
  atEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server of pictures has no port");
  const origin = `http://127.0.0.1:${address.port}`;
  const document = (name: string, pages: number, lines: number, paths: readonly string[]): PrintDocument => ({
    name,
    pages,
    pictures: paths.length,
    html: quote(lines, paths),
    htmlWithLinks: quote(
      lines,
      paths.map((path) => `${origin}${path}`),
    ),
  });
  const paths = [...files.keys()];
  return {
    project,
    onePage: document("one page", 1, 6, paths.slice(0, 1)),
    manyPages: document(`11 pages, ${paths.length} pictures`, 11, pictures, paths),
  };
}

/** A quote with so many lines, the first ones of them with a picture. */
function quote(lines: number, pictures: readonly string[]): string {
  const rows = Array.from({ length: lines }, (_, line) => row(line, pictures[line])).join("\n");
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Quote 4711</title>
<style>
@page { size: A4; margin: 20mm 15mm; @bottom-right { content: "Page " counter(page) " of " counter(pages); font: 8pt sans-serif } }
body { font: 9pt/1.35 "Noto Sans", sans-serif; margin: 0; color: #222 }
h1 { font-size: 15pt; margin: 0 0 4mm }
address { font-style: normal; margin-bottom: 6mm }
table { width: 100%; border-collapse: collapse }
th { text-align: left; border-bottom: 0.4mm solid #444 }
tr { break-inside: avoid }
tbody tr { height: ${(245 / rowsPerPage).toFixed(2)}mm }
td { border-bottom: 0.1mm solid #bbb; vertical-align: top; padding: 1mm 2mm 1mm 0 }
td.number { text-align: right; white-space: nowrap }
td img { width: 18mm; height: 18mm; object-fit: contain }
ul { margin: 0.5mm 0 0; padding-left: 4mm; color: #555; font-size: 8pt }
</style></head>
<body>
<h1>Quote 4711</h1>
<address>Northern Offices Ltd<br>12 Harbour Street<br>Aberdeen AB11 5QT</address>
<table>
<thead><tr><th>Item</th><th>Picture</th><th>Description</th><th>Quantity</th><th>Total, EUR</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
<p>Prices without tax. Delivery within six weeks of the order. Valid for thirty days.</p>
</body></html>`;
}

function row(line: number, picture: string | undefined): string {
  const image = picture === undefined ? "" : `<img src="${picture}" alt="Article ${line + 1}">`;
  const total = ((line * 7919) % 90_000) / 100 + 100;
  return `<tr><td>${line + 1}</td><td>${image}</td><td><strong>Table AX-${1000 + line}</strong>, height adjustable
<ul><li>Top: oak, ${1200 + (line % 5) * 200} × 800 mm</li><li>Frame: steel, RAL 90${10 + (line % 30)}</li></ul></td>
<td class="number">${1 + (line % 4)}</td><td class="number">${total.toFixed(2)}</td></tr>`;
}
