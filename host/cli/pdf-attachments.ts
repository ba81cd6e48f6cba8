import { extname } from "node:path";
import { cleanFilename } from "@slipway/sdk/runtime/host";
import { embeddedFiles, readPdf } from "@slipway/sdk/runtime/pdf";

/** The files within a PDF, under names that are safe and different from each other. Throws `PdfFormatError`. */
export function attachmentsOf(pdf: Uint8Array): { name: string; content: Uint8Array }[] {
  const file = readPdf(pdf);
  const names = new Set<string>();
  return embeddedFiles(file).map((each) => {
    const wanted = cleanFilename(each.name);
    const extension = extname(wanted);
    let name = wanted;
    for (let count = 2; names.has(name.toLowerCase()); count++)
      name = `${wanted.slice(0, wanted.length - extension.length)}-${count}${extension}`;
    names.add(name.toLowerCase());
    return { name, content: file.content(each.content) };
  });
}
