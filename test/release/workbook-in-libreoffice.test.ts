/** Workbooks in another program that calculates, prints and saves them. */
import { readPdf } from "@slipway/sdk/testing";
import { parseCsv } from "hucre/csv";
import t from "tap";
import { articles, articleValue, hostile, sample, texts, totalValue } from "../plugins/workbook-sample.js";
import { damaged, named, readBack, sheetOf, written } from "../plugins/workbook-support.js";
import { findLibreOffice } from "./libreoffice.js";

const office = await findLibreOffice();
t.test("LibreOffice", { skip: typeof office === "string" ? office : false }, async (t) => {
  if (typeof office === "string") return;
  // The result of a formula is wrong: it shows that LibreOffice calculates itself.
  const wrong = await damaged(sample.bytes, "xl/worksheets/sheet1.xml", (text) =>
    text.replaceAll(`<v>${Number(totalValue)}</v>`, "<v>1</v>"),
  );
  const files = new Map([
    ["sample.xlsx", sample.bytes],
    ["wrong.xlsx", wrong],
    ["hostile.xlsx", hostile.bytes],
  ]);

  t.test("calculates the same cents", async (t) => {
    const { files: csv, complaints } = await office.convert(files, "csv");
    t.equal(complaints, "");
    const sheetIn = (name: string): unknown[][] =>
      parseCsv(Buffer.from(csv.get(name) ?? []).toString("utf8"), { delimiter: "," });
    for (const name of ["sample", "wrong"]) {
      const rows = sheetIn(`${name}-Articles.csv`);
      t.same(rows[3], ["", "Article 0", "00000", "2", "1234.5", "12.5%", articleValue, "02.03.2026"]);
      t.same(rows.at(-1)?.[6], totalValue.replace(/0$/, ""), `${name}: the total`);
      t.same(
        rows.filter(([, text]) => String(text).startsWith("Group")).map((row) => row[6]),
        ["64811.4", "64811.4"],
      );
    }
    t.match(sheetIn("sample-History (2).csv").at(-1), ["", "", "KWD", "1234567.891", "123456.7891", "10%"]);
    t.same(
      sheetIn("hostile-Sheet.csv").map(([text]) => text),
      // An empty cell at the end is none.
      texts.slice(0, -1),
      "and reads the same texts",
    );
  });

  t.test("prints pictures, titles and page numbers", async (t) => {
    const { files: pdfs } = await office.convert(new Map([["sample.xlsx", sample.bytes]]), "pdf");
    const { pages } = await readPdf(pdfs.get("sample.pdf") ?? new Uint8Array());
    const list = pages.slice(0, -1);
    t.ok(list.length > 1, "it takes several pages");
    for (const [index, { text, width, height }] of list.entries()) {
      t.match(text, /Picture Article Number/, `page ${index + 1} repeats the header`);
      t.match(text, `Page ${index + 1} of ${pages.length}`);
      t.match(text, "12 Chairs & more");
      t.ok(width > height, "landscape");
    }
    t.equal(list.flatMap(({ images }) => images).length, articles);
    t.match(list[0]?.text, "2,160.38 €");
  });

  t.test("prints wide sheets on several pages across, with their first columns on each", async (t) => {
    const columns = Array.from({ length: 30 }, (_, column) => ({ header: `H${column}`, width: 20 }));
    const cells = columns.map(({ header }) => ({ kind: "text" as const, text: `${header} content` }));
    const wide = await written([sheetOf(columns, [{ cells }], { freeze: { columns: 1 } })]);
    const { files: pdfs } = await office.convert(new Map([["wide.xlsx", wide.bytes]]), "pdf");
    const { pages } = await readPdf(pdfs.get("wide.pdf") ?? new Uint8Array());
    t.ok(pages.length > 1, "it takes several pages");
    for (const [index, { text }] of pages.entries()) t.match(text, "H0 content", `page ${index + 1}`);
    const printed = pages.map(({ text }) => text).join(" ");
    t.strictSame(
      cells.filter(({ text }) => !printed.includes(text)),
      [],
    );
  });

  t.test("keeps all of it when it saves the file", async (t) => {
    const { files: saved } = await office.convert(files, "xlsx");
    const workbook = await readBack(saved.get("sample.xlsx") ?? new Uint8Array());
    const { rows, images, autoFilter } = named(workbook, "Articles");
    t.equal(rows[3]?.[6], Number(articleValue));
    t.equal(rows.at(-1)?.[6], Number(totalValue));
    t.equal(images?.length, articles);
    t.equal(autoFilter?.range, "A3:H65");
  });
});
