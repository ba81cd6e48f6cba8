import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isKind, type PdfObject, readPdf } from "@slipway/sdk/runtime/pdf";
import { open } from "../../host/pdf-support.js";

/** What a reader finds in a PDF. */
export interface PdfContents {
  pages: number;
  bytes: number;
  tables: number;
  figures: number;
  outline: number;
  title: string;
  /** What `qpdf --check` says; undefined where there is no qpdf. */
  clean: boolean | undefined;
}

export async function contentsOf(content: Uint8Array): Promise<PdfContents> {
  const document = await open(content);
  try {
    const counts = elementsOf(content);
    const { info } = await document.getMetadata();
    return {
      pages: document.numPages,
      bytes: content.length,
      tables: counts.get("Table") ?? 0,
      figures: counts.get("Figure") ?? 0,
      outline: outlineEntries(await document.getOutline()),
      title: "Title" in info ? String(info.Title) : "",
      clean: await isClean(content),
    };
  } finally {
    await document.destroy();
  }
}

function outlineEntries(items: unknown): number {
  if (!Array.isArray(items)) return 0;
  return items.reduce((sum: number, item: { items?: unknown }) => sum + 1 + outlineEntries(item.items), 0);
}

/** How often each role is in the structure tree. Its pages may name elements that have nothing to do with them. */
function elementsOf(content: Uint8Array): Map<string, number> {
  const file = readPdf(content);
  const counts = new Map<string, number>();
  const waiting: PdfObject[] = [file.dictionary(file.catalog.entries.get("StructTreeRoot")) ?? null];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const element = file.dictionary(next);
    if (element === undefined) continue;
    const role = element.entries.get("S");
    if (isKind(role, "name")) counts.set(role.name, (counts.get(role.name) ?? 0) + 1);
    const kids = element.entries.get("K") ?? null;
    for (const kid of file.array(kids) ?? [kids]) waiting.push(kid);
  }
  return counts;
}

async function isClean(content: Uint8Array): Promise<boolean | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-bench-"));
  try {
    const path = join(folder, "checked.pdf");
    await writeFile(path, content);
    const qpdf = spawn("qpdf", ["--check", path], { stdio: "ignore" });
    return await new Promise((resolve) => {
      qpdf.once("error", () => resolve(undefined));
      qpdf.once("exit", (code) => resolve(code === 0));
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
