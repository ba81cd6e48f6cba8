/** Workbooks, as others read them. Tested by itself: the plugin does not write all the workbooks that its writer takes. */
import { once } from "node:events";
import { readArchive } from "@slipway/sdk/testing";
import t from "tap";
import { withNames } from "../../plugins/spreadsheet/workbook/package-changes.js";
import type { Cell, Row, Sheet } from "../../plugins/spreadsheet/workbook/sheet.js";
import { writeWorkbook } from "../../plugins/spreadsheet/workbook/write-workbook.js";
import { workbookProblems } from "./workbook-package.js";
import {
  articleSheet,
  articles,
  articleValue,
  assets,
  hostile,
  sample,
  texts,
  totalValue,
} from "./workbook-sample.js";
import { damaged, named, partOf, readBack, sheetOf, textSheet, written } from "./workbook-support.js";

t.test("what is written is sound", async (t) => {
  t.same(await workbookProblems(sample.bytes), []);
  t.same(await workbookProblems(hostile.bytes), []);
  t.same(sample.errors, []);
});

t.test("a damaged workbook is found out", async (t) => {
  const sheet = "xl/worksheets/sheet1.xml";
  const damages: [
    what: string,
    part: string,
    change: ((text: string) => string) | undefined,
    found: RegExp,
  ][] = [
    ["cut XML", sheet, (text) => text.slice(0, -20), /sheet1/],
    ["a forbidden character", sheet, (text) => text.replace("Article", "&#1;"), /sheet1/],
    [
      "wrong order",
      sheet,
      (text) => text.replace(/(<autoFilter[^>]*>)(.*)(<pageSetup )/, "$2$1$3"),
      /autoFilter> comes too late/,
    ],
    [
      "a drawing at the wrong place",
      sheet,
      (text) => text.replace(/(<ignoredErrors.*)(<drawing[^>]*>)/, "$2$1"),
      /ignoredErrors> comes too late/,
    ],
    ["a style that is not there", sheet, (text) => text.replace(/s="\d+"/, 's="999"'), /no style 999/],
    [
      "a number that is none",
      sheet,
      (text) => text.replace("<v>1234.5</v>", "<v>1.234,50</v>"),
      /is no number/,
    ],
    ["rows upside down", sheet, (text) => text.replace('<row r="5"', '<row r="3"'), /row 3 after row/],
    ["no picture", "xl/media/image2.jpeg", undefined, /no part \.\.\/media\/image2\.jpeg/],
    ["no drawing", "xl/drawings/drawing1.xml", undefined, /no part/],
    ["no relationships", "xl/worksheets/_rels/sheet1.xml.rels", undefined, /has no relationship drawing1/],
    [
      "no content type",
      "[Content_Types].xml",
      (text) => text.replace(/<Override PartName="\/xl\/styles.xml"[^>]*>/, ""),
      /styles/,
    ],
    [
      "a wrong name",
      "xl/workbook.xml",
      (text) => text.replace('name="Articles"', 'name="a/b"'),
      /named "a\/b"/,
    ],
    [
      "anchors in disorder",
      "xl/drawings/drawing1.xml",
      (text) => text.replace(/(<xdr:from>.*?<\/xdr:from>)(<xdr:to>.*?<\/xdr:to>)/, "$2$1"),
      /xdr:from> comes too late/,
    ],
  ];
  for (const [what, part, change, found] of damages) {
    const bytes = await damaged(sample.bytes, part, change);
    t.match((await workbookProblems(bytes)).join("\n"), found, what);
  }
  t.not((await workbookProblems(sample.bytes.slice(0, -30))).length, 0, "half a file");
});

t.test("another reader finds all of it", async (t) => {
  const workbook = await readBack(sample.bytes);
  const { rows, cells, freezePane, autoFilter, pageSetup, images = [] } = named(workbook, "Articles");
  t.match(workbook.properties, {
    title: "Offer & more",
    creator: "Harbourlight",
    created: new Date("2026-03-02T09:30:00Z"),
  });
  t.same(rows[0]?.[0], "Harbourlight Media & Partners");
  t.same(rows[2], ["Picture", "Article", "Number", "Quantity", "Price", "Discount", "Value", "Delivery"]);
  t.same(rows[3], [
    null,
    "Article 0",
    "00000",
    2,
    1234.5,
    0.125,
    Number(articleValue),
    new Date("2026-03-02"),
  ]);
  t.equal(rows.at(-1)?.[6], Number(totalValue), "formulas have their results");
  t.match(cells?.get("3,6"), { formula: "ROUND(D4*E4*(1-F4),2)", formulaResult: 2160.38 });
  t.match(cells?.get("6,1")?.hyperlink, { target: "https://example.com/%C3%A4?x=1&y=2" });
  t.same(freezePane, { rows: 3, columns: 2 });
  t.same(autoFilter?.range, "A3:H65", "over the table, not over its totals");
  t.match(pageSetup, {
    paperSize: "a4",
    orientation: "landscape",
    fitToPage: true,
    fitToHeight: 0,
    printTitlesRow: "$3:$3",
  });
  t.equal(images.length, articles);
  t.same(
    images.slice(0, 3).map(({ type, altText, anchor }) => [type, altText, anchor.from]),
    ["png", "jpeg", "png"].map((type, index) => [type, `Article ${index}`, { row: index + 3, col: 0 }]),
  );
  const media = [...(await readArchive(sample.bytes)).keys()].filter((name) => name.startsWith("xl/media/"));
  t.equal(media.length, 3, "each picture is in the file once");
});

t.test("pictures keep their proportions within their cells", async (t) => {
  const anchors = [
    ...(await partOf(sample.bytes, "xl/drawings/drawing1.xml")).matchAll(/<a:ext cx="(\d+)" cy="(\d+)"\/>/g),
  ];
  const [chair, desk, lamp] = anchors.map(([, width, height]) => [Number(width), Number(height)]);
  const height = 60 * 12_700;
  t.ok(chair !== undefined && Math.abs((chair[0] ?? 0) / (chair[1] ?? 1) - 2) < 0.001);
  t.ok(desk !== undefined && Math.abs((desk[0] ?? 0) / (desk[1] ?? 1) - 0.5) < 0.001);
  t.ok((desk?.[1] ?? 0) > height * 0.9 && (desk?.[1] ?? height) < height, "as large as the row allows");
  t.same(lamp, [40 * 9525, 40 * 9525], "never larger than it is");
});

t.test("texts come through as they are", async (t) => {
  const [first, second] = (await readBack(hostile.bytes)).sheets;
  t.same(
    first?.rows.map(([text]) => text ?? ""),
    texts,
  );
  t.same(
    second?.rows.map(([text]) => text),
    ["ab", "cd", "ef", "g\nh\ni"],
    "but for what no file can hold",
  );
});

t.test("texts that are too long are cut at a character", async (t) => {
  const family = "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}";
  const before = "x".repeat(32_767 - 4);
  const { bytes, errors } = await written([
    textSheet([before + family, "y".repeat(32_767), "\u{1F6CB}".repeat(20_000)], { name: "Long" }),
  ]);
  const [sheet] = (await readBack(bytes)).sheets;
  t.same(
    sheet?.rows.map(([text]) => String(text).length),
    [before.length, 32_767, 32_766],
  );
  t.same(sheet?.rows[0]?.[0], before);
  t.match(errors, [
    { id: "spreadsheet-value-changed", scope: "WARN", additionalInformation: { sheet: "Long", cell: "A1" } },
    { id: "spreadsheet-value-changed", additionalInformation: { cell: "A3" } },
  ]);
  t.equal(errors.length, 2);
  t.same(await workbookProblems(bytes), []);
});

t.test("sheets get names that they may have", async (t) => {
  const wanted = [
    "History",
    "a/b:c*d?[e]\\",
    "'quoted'",
    "",
    "x".repeat(40),
    "X".repeat(40),
    `${"y".repeat(30)}\u{1F6CB}`,
    "it's",
    "\u0001",
  ];
  const { bytes } = await written(wanted.map((name) => sheetOf([{ header: "a" }], [], { name })));
  t.same(await workbookProblems(bytes), []);
  t.same(
    (await readBack(bytes)).sheets.map(({ name }) => name),
    [
      "History (2)",
      "a b c d e",
      "quoted",
      "Sheet",
      "x".repeat(31),
      `${"X".repeat(27)} (2)`,
      "y".repeat(30),
      "it's",
      "Sheet (2)",
    ],
  );
});

t.test("pictures that cannot be shown are left out, and one under two names is stored once", async (t) => {
  const row = (asset: string): Row => ({ cells: [{ kind: "picture", asset, description: asset }] });
  const names = ["chair", "nothing", "broken", "none", "seat", "nothing", "chair"];
  const { bytes, leftOut } = await written([sheetOf([{}], names.map(row)), sheetOf([{}], [row("none")])], {
    assets: {
      ...assets,
      nothing: Buffer.from("no picture"),
      broken: assets.chair.slice(0, 12),
      seat: assets.chair,
    },
  });
  t.same(await workbookProblems(bytes), []);
  const [first, second] = (await readBack(bytes)).sheets;
  t.same(
    first?.images?.map(({ anchor }) => anchor.from.row),
    [0, 4, 6],
  );
  const media = [...(await readArchive(bytes)).keys()].filter((name) => name.startsWith("xl/media/"));
  t.same(media, ["xl/media/image1.png"]);
  t.equal(second?.images?.length ?? 0, 0);
  t.same(
    leftOut,
    [
      ["nothing", "it cannot be shown"],
      ["broken", "it is damaged"],
      ["none", "it is missing in the project"],
    ],
    "each is told once",
  );
});

t.test("numbers and days show in the way of the locale", async (t) => {
  const row: Cell[] = [
    { kind: "number", value: "1.5", format: { kind: "currency", currency: "EUR" } },
    { kind: "number", value: "1.5", format: { kind: "currency", currency: "JPY" } },
    { kind: "number", value: "1.5", format: { kind: "currency", currency: "KWD" } },
    { kind: "number", value: "1.25", format: { kind: "percent" } },
    { kind: "number", value: "1.250", format: { kind: "unit", unit: 'k"g' } },
    { kind: "date", date: "2026-03-02" },
    { kind: "date", date: "2026-02-30" },
  ];
  const columns = row.map(() => ({}));
  const formats = async (locale: string): Promise<unknown[]> => {
    const { bytes } = await written([sheetOf(columns, [{ cells: row }])], { locale });
    t.same(await workbookProblems(bytes), [], locale);
    const cells = named(await readBack(bytes), "Sheet").cells;
    return columns.map((_, index) => cells?.get(`0,${index}`)?.style?.numFmt);
  };
  t.same(await formats("de_DE"), [
    "#,##0.00\\ [$€-407]",
    "#,##0\\ [$¥-407]",
    "#,##0.000\\ [$KWD-407]",
    "#,##0.00\\ %",
    '#,##0.000" kg"',
    "[$-407]dd.mm.yyyy",
    undefined,
  ]);
  t.match(await formats("en_GB"), [
    "[$€-809]#,##0.00",
    "[$JP¥-809]#,##0",
    "[$KWD-809]\\ #,##0.000",
    "#,##0.00%",
  ]);
  t.match((await formats("en_US")).at(5), "[$-409]mm/dd/yyyy");
  t.match((await formats("nl_NL")).at(0), "[$€-413]\\ #,##0.00");
});

t.test("columns are as wide as their content, within bounds", async (t) => {
  const columns = [
    { header: "a" },
    { header: "b" },
    { header: "c", width: 12 },
    { header: "d", width: { min: 3, max: 20 } },
  ];
  const text = (length: number): Cell => ({ kind: "text", text: "x".repeat(length) });
  const { bytes } = await written([sheetOf(columns, [{ cells: [text(30), text(500), text(30), text(30)] }])]);
  const [fitted, widest, stated, bounded] = (named(await readBack(bytes), "Sheet").columns ?? []).map(
    ({ width }) => width,
  );
  t.ok(fitted !== undefined && fitted >= 30 && fitted <= 34, `${fitted}`);
  t.same([widest, stated, bounded], [60, 12, 20]);
});

t.test("rows are as high as the lines that their texts take", async (t) => {
  const columns = [
    { header: "Share of project discounts", width: 12 },
    { header: "Text", width: 20, wrap: true },
  ];
  const text = (value: string): Cell => ({ kind: "text", text: value });
  const { bytes } = await written([
    sheetOf(columns, [
      { cells: [text("one"), text("word ".repeat(12))] },
      { cells: [text("one that is longer than its column")] },
      { cells: [text("one\ntwo")] },
      { cells: [text("one\ntwo")], height: 80 },
    ]),
  ]);
  const rows = [
    ...(await partOf(bytes, "xl/worksheets/sheet1.xml")).matchAll(/<row r="\d+"(?: ht="(\d+)")?/g),
  ];
  t.same(
    rows.map(([, height]) => height),
    ["46", "61", undefined, "31", "80"],
  );
});

t.test("outlines fold upwards, and rows of nothing but style are there", async (t) => {
  const text = (text: string): Cell => ({ kind: "text", text });
  const rows: Row[] = [
    { cells: [text("Group")], style: "subtotal" },
    { cells: [text("Article")], level: 1 },
    { cells: [], style: "total" },
    { cells: [{ kind: "text", text: " Page ", link: "https://example.com/" }] },
    { cells: [{ kind: "text", text: " ", link: "https://example.com/" }] },
  ];
  const { bytes } = await written([
    sheetOf([{ width: 9 }, { width: 9 }], rows, { name: "Sam's", summary: "above" }),
  ]);
  t.same(await workbookProblems(bytes), []);
  const sheet = named(await readBack(bytes), "Sam's");
  const rowOf = (row: number) => sheet.rowDefs?.get(row);
  t.match(rowOf(1), { outlineLevel: 1 });
  t.notOk(rowOf(1)?.collapsed, "nothing is folded");
  t.same(
    sheet.columns?.map(({ width }) => Math.floor(width ?? 0)),
    [9, 9],
  );
  t.ok(sheet.cells?.get("2,1")?.style?.border?.bottom, "an empty total has its lines");
  t.match(sheet.cells?.get("3,0")?.hyperlink, { target: "https://example.com/" });
  t.match(await partOf(bytes, "xl/worksheets/sheet1.xml"), /summaryBelow="0"/);
});

t.test("what no sheet can hold ends the writing", async (t) => {
  const number = (value: string): Sheet => sheetOf([{}], [{ cells: [{ kind: "number", value }] }]);
  await t.rejects(written([number("1,5")]), { name: "RangeError", message: /decimal.*"1,5"/ });
  await t.rejects(written([sheetOf([], [])]), { name: "RangeError" });
  await t.rejects(written([]), { name: "RangeError" });
  const row: Row = { cells: [{ kind: "text", text: "x" }] };
  await t.rejects(
    written([sheetOf([{}], [row, row], { name: "Long", start: { row: 1_048_576, column: 1 } })]),
    {
      id: "spreadsheet-too-many-rows",
      code: 422,
      message: /"Long"/,
    },
  );
});

t.test("rows come only as fast as the file is read, and end with it", async (t) => {
  let asked = 0;
  let ended = 0;
  async function* endless(): AsyncGenerator<Row> {
    try {
      for (;;) {
        asked++;
        // Does not pack well.
        yield { cells: [{ kind: "text", text: `${Math.random()} ${Math.random()} ${Math.random()}` }] };
      }
    } finally {
      ended++;
    }
  }
  const book = (): Parameters<typeof writeWorkbook>[0] => ({
    sheets: [sheetOf([{}], [], { name: "Endless" })].map((sheet) => ({ ...sheet, rows: endless() })),
    title: "",
    created: new Date(),
    locale: "en",
  });
  const context = (signal: AbortSignal) => ({
    picture: async () => undefined,
    leaveOut() {},
    suppress() {},
    signal,
  });
  const quiet = new AbortController();
  for await (const chunk of writeWorkbook(book(), context(quiet.signal))) {
    t.ok(chunk.length > 0);
    for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
    break;
  }
  t.ok(asked < 100_000, `${asked} rows were asked for by who reads one piece`);
  t.equal(ended, 1, "who stops reading ends the rows");

  const aborting = new AbortController();
  asked = 0;
  const reason = new Error("the client went away");
  const reading = (async () => {
    for await (const chunk of writeWorkbook(book(), context(aborting.signal))) {
      if (chunk.length > 0 && asked > 0) aborting.abort(reason);
    }
  })();
  await t.rejects(reading, reason);
  t.equal(ended, 2, "who aborts ends the rows");
  await t.rejects(
    written([sheetOf([{}], []), articleSheet()].map((sheet) => ({ ...sheet, rows: failing() }))),
    {
      message: "the rows failed",
    },
  );
});

async function* failing(): AsyncGenerator<Row> {
  yield { cells: [] };
  await once(process, "never", { signal: AbortSignal.abort() }).catch(() => undefined);
  throw new Error("the rows failed");
}

t.test("a library that no longer writes what is changed here is found out", (t) => {
  const part = (properties: string) =>
    `<workbook><fileVersion appName="xl"/><workbookPr ${properties}/><sheets/><calcPr calcId="1"/></workbook>`;
  t.notMatch(withNames(part('filterPrivacy="1"'), []), /filterPrivacy|fileVersion|calcPr/);
  t.throws(() => withNames(part('date1904="0"'), []), {
    message: "The spreadsheet library writes no workbookPr with filterPrivacy.",
  });
  t.throws(() => withNames("<workbook/>", []), { message: "The spreadsheet library writes no fileVersion." });
  t.end();
});
