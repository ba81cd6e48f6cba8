/**
 * What the checker of archivable PDFs finds: each of the damages of `pdf-archive-damages.ts`, named by its clause, and
 * nothing in the sound PDF. Uses the part itself, which writes PDFs: no plugin could damage one like this.
 */
import {
  packedStream,
  pagesOf,
  pdfArray,
  pdfDictionary,
  pdfName,
  pdfText,
  readPdf,
} from "@slipway/sdk/runtime/pdf";
import { checkArchive, pngPicture } from "@slipway/sdk/testing";
import type * as Tap from "tap";
import t from "tap";
import { writePdf } from "../../../host/pdf/finish/write-pdf.js";
import { byteDamages, damages, partsOf } from "../../host/pdf-archive-damages.js";
import { job, page, resources, startedService, varFolder } from "../../host/pdf-support.js";
import { realChecker } from "../../host/vera-pdf.js";

/** A report with a picture, a link and a file within. */
async function soundPdf(): Promise<Buffer> {
  const service = await startedService({ varDirectory: varFolder() });
  try {
    const content = pngPicture({ width: 200, height: 200 });
    const html = page('<h1>One</h1><img src="/a.png" alt="a"><p><a href="https://example.com/">two</a></p>');
    const files = resources({ "/a.png": { mediaType: "image/png", content } });
    const printed = await service.print(job(html, { tagged: true, archivable: true, resources: files }));
    const file = readPdf(printed.content);
    const embedded = file.add(
      packedStream(Buffer.from("<order/>"), {
        Type: pdfName("EmbeddedFile"),
        Subtype: pdfName("text/xml"),
        Params: pdfDictionary({ ModDate: pdfText("D:20260101000000Z") }),
      }),
    );
    const name = pdfText("order.xml");
    const specification = file.add(
      pdfDictionary({
        Type: pdfName("Filespec"),
        F: name,
        UF: name,
        EF: pdfDictionary({ F: embedded }),
        AFRelationship: pdfName("Alternative"),
      }),
    );
    const { entries } = file.catalog;
    entries.set("AF", pdfArray([specification]));
    entries.set(
      "Names",
      pdfDictionary({ EmbeddedFiles: pdfDictionary({ Names: pdfArray([name, specification]) }) }),
    );
    return Buffer.from(await writePdf(file));
  } finally {
    await service.stop();
  }
}

t.test("damages of archivable PDFs", async (t) => {
  const sound = await soundPdf();
  t.strictSame(checkArchive(sound), []);
  await realChecker(t, sound, ["3a", "ua1"]);

  for (const [name, [clause, damage]] of Object.entries(damages))
    await t.test(name, async (t) => {
      const file = readPdf(sound);
      pagesOf(file, file.catalog); // pages have what they inherit
      damage(partsOf(file));
      await found(t, Buffer.from(await writePdf(file)), clause);
    });
  for (const [name, [clause, damage]] of Object.entries(byteDamages))
    await t.test(name, (t) => found(t, damage(sound), clause));
});

async function found(t: Tap.Test, damaged: Uint8Array, clause: string): Promise<void> {
  const findings = checkArchive(damaged);
  t.ok(
    findings.some(({ rule, message }) => rule === clause && /[.:]/.test(message)),
    JSON.stringify(findings),
  );
}
