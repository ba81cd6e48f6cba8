/** Project files that a test writes by hand. */
import { ZipArchive } from "archiver";

export const bytes = (text: string): Uint8Array => Buffer.from(text, "utf8");
export const inBuffer = (items: string): string =>
  `<?xml version='1.0'?>\n<cutBuffer>\n<items>\n${items}\n</items>\n</cutBuffer>`;

export async function zip(entries: [name: string, content: string | Buffer][]): Promise<Buffer> {
  const archive = new ZipArchive({ zlib: { level: 9 } });
  for (const [name, content] of entries) archive.append(content, { name });
  const finished = archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(Buffer.from(chunk));
  await finished;
  return Buffer.concat(chunks);
}

export const smallHeader = "<metainf id='0b7f7f0e-9a3c-4f55-8a55-0f2f5e6f1a01' lang='en' languages='en'/>";
export const smallBasket = "<basket><topFolder/></basket>";
export const smallObk = (basket = smallBasket, header = smallHeader): Promise<Buffer> =>
  zip([
    ["1.bsk", basket],
    ["metainf.xml", header],
  ]);
