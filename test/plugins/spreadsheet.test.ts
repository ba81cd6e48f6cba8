/** The spreadsheet plugin: every operation, what every option shows and hides, and what its files say. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ProjectDocument, Type } from "@slipway/sdk";
import {
  awkwardCents,
  brokenPrices,
  deepFolders,
  emptyProject,
  everyKindOfItem,
  foreignPrices,
  hostileText,
  hostileTexts,
  id,
  malformedTexts,
  manyArticles,
  pngPicture,
  projectOf,
  severalViews,
  smallOffice,
  type TestAnswer,
  twoManufacturers,
} from "@slipway/sdk/testing";
import t from "tap";
import { repository, startHost } from "../start-host.js";
import { hostileProject } from "./oex-hostile-project.js";
import { flagProject } from "./oex-project.js";
import { pluginClient } from "./plugin-client.js";
import { pluginInMemory } from "./plugins-in-memory.js";
import { fullProject } from "./report-data-project.js";
import { type BookSheet, readBook, readCsv, type TableRow } from "./spreadsheet-book.js";
import { exportTotals, printedQuote, reportTotals, workbookTotals } from "./spreadsheet-totals.js";

const host = await pluginInMemory("excel", { now: "2026-03-02T09:30:15Z" });
t.teardown(() => host.stop());

interface Book {
  articles: BookSheet;
  calculation: BookSheet;
  project: BookSheet;
  sheets: BookSheet[];
  answer: TestAnswer;
}

/** Exports a project as a workbook and reads it. */
async function workbook(project: ProjectDocument, body: object = {}, locale = "en_GB"): Promise<Book> {
  const session = await host.openSession(project, { locale });
  const answer = await host.post("v1/export", { sessionId: session.id, ...body });
  if (answer.status !== 200) throw new Error(answer.text);
  return { ...(await bookOf(answer.json["url"])), answer };
}

async function bookOf(url: unknown): Promise<Omit<Book, "answer">> {
  const sheets = await readBook(host.file(url).bytes);
  const [articles, calculation, project] = sheets;
  if (articles === undefined || calculation === undefined || project === undefined)
    throw new Error(`${sheets.length} sheets`);
  return { articles, calculation, project, sheets };
}

/** The only CSV file of an operation. */
async function csv(project: ProjectDocument, path: string, body: object = {}, locale = "en_GB") {
  const session = await host.openSession(project, { locale });
  const answer = await host.post(`v1/exportCSV/${path}`, { sessionId: session.id, ...body });
  if (answer.status !== 200) throw new Error(answer.text);
  const text = host.file(answer.json["url"]).text();
  return { answer, text, ...readCsv(text, locale.startsWith("en") ? "," : ";") };
}

/** Names and values of the calculation of the document. */
function totals({ project }: Pick<Book, "project">): Record<string, unknown> {
  const rows = project.table(project.rowOf("Price line"));
  return Object.fromEntries(rows.map((row) => [String(row["Price line"]), row["Value (EUR)"]]));
}

function last<Value>(values: readonly Value[]): Value {
  const value = values.at(-1);
  if (value === undefined) throw new Error("There is none");
  return value;
}

function rowOf(sheet: BookSheet, column: string, value: string): TableRow {
  const row = sheet.table().find((each) => each[column] === value);
  if (row === undefined) throw new Error(`${sheet.name}: no row whose ${column} is ${value}`);
  return row;
}

/** Two desks with discounts on both sides, taxes, a discount on all, and a margin. */
const discounted = () =>
  projectOf({
    name: "Discounts",
    number: "Q 1",
    discount: "10",
    header: { projectDate: "2026-02-01", createdBy: "An author" },
    addresses: {
      SoldTo: { name1: "Buyer Ltd", countryCode: "DE", postalCode: "20457", location: "Hamburg" },
    },
    items: [
      {
        article: "DESK",
        text: "Desk",
        quantity: 2,
        sales: "100.00",
        purchase: "60.00",
        discount: "20",
        purchaseDiscount: "50",
        externalNumber: "EXT-7",
        featureText: "Colour: oak",
        picture: pngPicture(),
      },
    ],
  });

const externalItemNumber = "c962203c-7e83-4a2f-8060-acaa4a06c921";

t.test("a workbook has the articles, their calculation, and the project", async (t) => {
  const book = await workbook(discounted());
  t.strictSame(book.answer.json["name"], "Discounts_Q_1_020326-093015.xlsx");
  t.strictSame(book.answer.errors, []);
  t.strictSame(
    book.sheets.map(({ name }) => name),
    ["Articles", "Calculation", "Project"],
  );
  t.match(rowOf(book.articles, "Pos.", "1"), {
    Type: "Article",
    Manufacturer: "Maker MF",
    "Article no.": "DESK",
    "Short text": "Desk",
    Quantity: 2,
    Unit: "pcs",
    "Purchase list price (EUR)": 60,
    "Purchase discount (EUR)": -60,
    "Purchase price (EUR)": 30,
    "Purchase value (EUR)": 60,
    "List price (EUR)": 100,
    "List value (EUR)": 200,
    "Discount (EUR)": -40,
    "Discount %": -0.2,
    "Net price (EUR)": 80,
    "Net value (EUR)": 160,
    "Share of project discounts (EUR)": -16,
    "Net value after project discounts (EUR)": 144,
    "Taxes (EUR)": 27.36,
    "Total incl. taxes (EUR)": 171.36,
    "Margin (EUR)": 84,
    "Margin %": 0.5833,
    "In total": "x",
  });
  t.equal(book.articles.sheet.images?.length, 1, "with the picture");
  t.match(totals(book), {
    "Purchase Price": 60,
    "Discount Amount": -40,
    "Net Value for Item": 160,
    "Value Added Tax": 27.36,
    Total: 171.36,
    Margin: 84,
  });
  const tax = book.calculation.table().find((row) => row["Price line"] === "Value Added Tax");
  t.match(tax, {
    "Pos.": "1",
    "Article no.": "DESK",
    Amount: 19,
    "Unit of amount": "%",
    "Base (EUR)": 144,
  });
  t.equal(book.project.sheet.rows[0]?.[0], "Project");
  t.equal(book.project.sheet.rows[book.project.rowOf("Country") - 1]?.[1], "Germany");
});

t.test("formulas stand where a person would write them, and give what stands in their cells", async (t) => {
  const projects = [
    discounted(),
    awkwardCents(),
    everyKindOfItem(),
    foreignPrices(),
    severalViews(),
    smallOffice(),
    twoManufacturers(),
    deepFolders(9),
    manyArticles(40),
  ];
  for (const project of projects) {
    const { sheets, articles } = await workbook(project);
    const name = project.header.name ?? "";
    t.strictSame(
      sheets.flatMap((sheet) => sheet.wrongFormulas()),
      [],
      name,
    );
    t.ok(
      sheets.every((sheet) => sheet.formulas().length > 0),
      name,
    );
    t.ok(
      articles.formulas().some((formula) => /^SUMIF\(/.test(formula)),
      name,
    );
  }
  const { articles } = await workbook(discounted());
  for (const formula of [
    /^ROUND\(I2\*S2,2\)$/,
    /^T2-P2$/,
    /^ROUND\(Q2\/P2,4\)$/,
    /^T2\+U2$/,
    /^SUMIF\(AB2:AB2,"x",T2:T2\)$/,
  ])
    t.ok(
      articles.formulas().some((each) => formula.test(each)),
      String(formula),
    );
});

t.test("the same tables come as CSV, alone and in an archive", async (t) => {
  const session = await host.openSession(discounted(), { locale: "en_GB" });
  const answer = await host.post("v1/exportCSV", { sessionId: session.id });
  t.equal(answer.json["name"], "Discounts_Q_1_020326-093015.zip");
  const files = await host.file(answer.json["url"]).archive();
  t.strictSame(
    [...files.keys()],
    ["Article_List.csv", "Calculation_Scheme.csv", "Header_Calculation.csv", "Header_Data.csv"],
  );
  for (const [path, name] of [
    ["articlelist", "Article_List"],
    ["header/calculation", "Header_Calculation"],
    ["header/data", "Header_Data"],
  ] as const) {
    const single = await csv(discounted(), path);
    t.equal(single.answer.json["name"], `Discounts_Q_1_020326-093015_${name}.csv`);
    t.equal(single.text, files.get(`${name}.csv`)?.text(), name);
    t.equal(host.file(single.answer.json["url"]).mediaType, "text/csv; charset=utf-8");
    t.strictSame(
      [...host.file(single.answer.json["url"]).bytes.slice(0, 3)],
      [0xef, 0xbb, 0xbf],
      "with a byte order mark",
    );
    t.match(single.text, /[^\r]\r\n$/);
  }
  const book = await workbook(discounted());
  const list = readCsv(files.get("Article_List.csv")?.text() ?? "", ",");
  t.strictSame(
    list.columns,
    book.articles.columns().filter((column) => column !== "Picture"),
  );
  t.match(list.rows[0], { "Discount %": "-20", "Net value (EUR)": "160.00", "Margin %": "58.33" });
  t.match(last(list.rows), { "Pos.": "Total", "Total incl. taxes (EUR)": "171.36" });
  const lines = readCsv(files.get("Calculation_Scheme.csv")?.text() ?? "", ",");
  t.equal(lines.rows.length, book.calculation.table().length);
  t.match(
    lines.rows.find((row) => row["Level"] === "210"),
    { Amount: "-20", "Base (EUR)": "200.00", "Value (EUR)": "-40.00" },
  );
});

t.test("CSV is written in the way of the locale", async (t) => {
  const german = await csv(discounted(), "articlelist", {}, "de_DE");
  t.match(german.rows[0], { Menge: "2", "Nettowert (EUR)": "160,00", "Rabatt %": "-20" });
  const swiss = await host.openSession(discounted(), { locale: "de_CH" });
  const answer = await host.post("v1/exportCSV/articlelist", { sessionId: swiss.id });
  const [first = {}] = readCsv(host.file(answer.json["url"]).text(), ",").rows;
  t.equal(first["Nettowert (EUR)"], "160.00");
  const dates = await csv(discounted(), "header/data", {}, "de_DE");
  t.match(
    dates.rows.find((row) => row["Feld"] === "Projektdatum"),
    { Inhalt: "2026-02-01" },
  );
});

t.test("headings are in the language of the session, else in English", async (t) => {
  for (const [locale, position, sheet] of [
    ["de_DE", "Pos.", "Artikel"],
    ["fr_FR", "Pos.", "Articles"],
    ["nl_NL", "Pos.", "Artikelen"],
    ["pl_PL", "Poz.", "Artykuły"],
    ["es_ES", "Pos.", "Artículos"],
    ["it_IT", "Pos.", "Articles"],
  ] as const) {
    const { articles, sheets } = await workbook(discounted(), {}, locale);
    t.equal(articles.name, sheet, locale);
    t.equal(articles.columns()[0], position, locale);
    t.equal(new Set(sheets.map(({ name }) => name)).size, 3, locale);
    t.equal(
      new Set(articles.columns()).size,
      articles.columns().length,
      `${locale}: each column has its own name`,
    );
  }
});

t.test("each hiding option hides its lines and columns everywhere, and nothing else", async (t) => {
  const whole = await workbook(discounted());
  const hides = async (
    option: object,
    columns: string[],
    lines: string[],
    values: number[],
  ): Promise<void> => {
    const name = JSON.stringify(option);
    const book = await workbook(discounted(), option);
    t.strictSame(
      book.articles.columns(),
      whole.articles.columns().filter((column) => !columns.includes(column.replace(" (EUR)", ""))),
      name,
    );
    for (const sheet of ["calculation", "project"] as const) {
      const start = sheet === "project" ? "Price line" : "Pos.";
      const levels = (each: Book) =>
        each[sheet].table(each[sheet].rowOf(start)).map((row) => String(row["Level"]));
      t.strictSame(
        levels(book),
        levels(whole).filter((level) => !lines.includes(level)),
        `${name} ${sheet}`,
      );
    }
    for (const value of values) {
      t.ok(
        whole.sheets.some((sheet) => sheet.values().includes(value)),
        `${value} is there without ${name}`,
      );
      t.notOk(
        book.sheets.some((sheet) => sheet.values().includes(value)),
        `${value} is not there with ${name}`,
      );
    }
    t.strictSame(
      book.sheets.flatMap((sheet) => sheet.wrongFormulas()),
      [],
      name,
    );
    const list = await csv(discounted(), "articlelist", option);
    t.strictSame(
      list.columns,
      book.articles.columns().filter((column) => column !== "Picture"),
      name,
    );
  };
  const margin = ["Margin", "Margin %"];
  const purchase = ["Purchase list price", "Purchase discount"];
  const sales = ["List price", "List value", "Discount", "Discount %"];
  const header = ["Share of project discounts", "Net value after project discounts"];
  const taxes = ["Taxes", "Total incl. taxes"];
  await hides({ hideMargins: true }, margin, ["710", "715", "720", "725"], [84]);
  await hides({ hideTaxes: true }, taxes, ["509", "510", "530"], [27.36, 171.36]);
  await hides({ hideFinalTotal: true }, ["Total incl. taxes"], ["530"], [171.36]);
  await hides({ hidePurchaseDiscounts: true }, purchase, ["10", "12", "19", "20"], [120, -60]);
  await hides({ hideSalesDiscounts: true }, sales, ["110", "125", "200", "210", "300"], [200, -40]);
  await hides({ hideHeaderDiscounts: true }, header, ["400", "410"], [160, -16]);
  const all = ["10", "12", "19", "20", "110", "125", "200", "210", "300", "400", "410"];
  await hides({ hideDiscounts: true }, [...purchase, ...sales, ...header], all, [120, 200, 160, -40, -16]);
  await hides({ hideLineTags: ["MARGIN_REL", "UNKNOWN"] }, margin, ["725"], [0.5833]);
  await hides(
    { hideLineTags: ["PURCHASE_VALUE"] },
    ["Purchase list price", "Purchase discount", "Purchase price", "Purchase value", ...margin].slice(2),
    ["30", "710", "720", "725"],
    [84],
  );
  await hides({ hideConditionTypes: ["DIP10"] }, sales, ["210", "300"], [-40]);
  await hides({ hideAccessMethods: ["PDIP00"] }, purchase, ["20"], [-60]);
  const { articles } = await workbook(discounted(), { hideHeaderDiscounts: true });
  t.match(rowOf(articles, "Pos.", "1"), {
    "Net price (EUR)": 72,
    "Net value (EUR)": 144,
    "Discount (EUR)": -56,
  });
});

t.test(
  "variant texts and external references stand in columns of their own when they are asked for",
  async (t) => {
    const plain = await workbook(discounted());
    t.notOk(
      plain.articles.columns().some((column) => ["Variant text", "External reference"].includes(column)),
    );
    const full = await workbook(discounted(), {
      showVariantText: true,
      externalRefColumn: externalItemNumber,
    });
    t.match(rowOf(full.articles, "Pos.", "1"), {
      "Variant text": "Colour: oak",
      "External reference": "EXT-7",
    });
  },
);

t.test(
  "sheets that the project brings count as they are; unknown lines go when anything is hidden",
  async (t) => {
    const line = (level: number, name: string, value: string) => ({
      ...{ level, counter: 0, label: [{ lang: "en", value: name }] },
      value: { value, currency: "EUR" },
    });
    const sheet = (net: string) => ({
      currency: "EUR",
      lines: [
        line(110, "Price", net),
        line(400, "Item net", net),
        line(500, "Net", net),
        line(999, "Bonus", "7.77"),
      ],
    });
    const calculation = { scheme: "STDB2B_WBK", header: sheet("12.00"), items: { [id(1)]: sheet("10.00") } };
    const project = projectOf({ items: [{ article: "A" }], more: { calculations: [calculation] } });
    const { articles, ...book } = await workbook(project);
    t.strictSame(
      articles.table().map((row) => row["Net value (EUR)"]),
      [10, 2, 12],
    );
    t.match(totals(book), { Net: 12, Bonus: 7.77 });
    const hidden = await workbook(project, { hideMargins: true });
    t.notOk(hidden.sheets.some((each) => each.values().includes(7.77)));
  },
);

t.test("pictures come from the preferred column, then by tag", async (t) => {
  const [large, small] = [pngPicture({ width: 40, height: 10 }), pngPicture({ width: 9, height: 9 })];
  const project = projectOf({ items: [{ article: "A", picture: large, taggedPictures: { side: small } }] });
  const sizeOf = async (body: object): Promise<number | undefined> =>
    (await workbook(project, body)).articles.sheet.images?.[0]?.data.length;
  t.equal(await sizeOf({}), large.length);
  const unknown = { preferredImageColumn: randomUUID(), imageOptions: ["tag=side"] };
  t.equal(await sizeOf(unknown), small.length);
  const { answer } = await workbook(project, { imageOptions: ["zoom=3"] });
  t.match(answer.errors, [{ id: "image-option-ignored" }]);
});

t.test("sheets begin where the request says, counted from 1", async (t) => {
  const sheetSettings = {
    articleStartRow: 3,
    articleStartColumn: 2,
    calcStartRow: 5,
    calcStartColumn: 4,
    reportStartRow: 7,
    reportStartColumn: 6,
  };
  const book = await workbook(discounted(), { sheetSettings });
  t.equal(book.articles.sheet.rows[2]?.[1], "Pos.");
  t.equal(book.calculation.sheet.rows[4]?.[3], "Pos.");
  t.equal(book.project.sheet.rows[6]?.[5], "Project");
  t.strictSame(
    book.sheets.flatMap((sheet) => sheet.wrongFormulas()),
    [],
  );
  const half = await workbook(discounted(), { sheetSettings: { calcStartRow: 2 } });
  t.equal(half.calculation.sheet.rows[1]?.[0], "Pos.");
  t.equal(half.articles.sheet.rows[0]?.[0], "Pos.");
});

t.test("files have the name that the request wants, without what a name cannot have", async (t) => {
  for (const [filename, name] of [
    ["list", "list.xlsx"],
    ["list.XLSX ", "list.xlsx"],
    ["../a:b", "a b.xlsx"],
    ["  ", "Discounts_Q_1_020326-093015.xlsx"],
  ]) {
    const { answer } = await workbook(discounted(), { filename });
    t.equal(answer.json["name"], name);
  }
  t.equal((await csv(discounted(), "articlelist", { filename: "list.csv" })).answer.json["name"], "list.csv");
  const nameless = projectOf({ header: { name: "", number: "" }, items: [{ article: "A" }] });
  t.equal((await workbook(nameless)).answer.json["name"], "Export_020326-093015.xlsx");
});

t.test("every kind of item is a row of its own, and what counts is marked", async (t) => {
  const { articles, calculation, answer } = await workbook(everyKindOfItem());
  t.strictSame(answer.errors, []);
  t.strictSame(
    articles
      .table()
      .map((row) => [row["Pos."], row["Type"], row["Short text"], row["Net value (EUR)"], row["In total"]]),
    [
      ["1", "Folder", "Outer folder", undefined, undefined],
      ["1.1", "Folder", "Inner folder", undefined, undefined],
      ["1.1.1", "Article", "Plain article", 10, "x"],
      [undefined, "Text", "A note", undefined, undefined],
      ["2", "Composite", "Composite", 10, "x"],
      ["2.1", "Part", "First part", 10, "x"],
      ["2.2", "Part", "Second part", 20, "x"],
      ["3", "Structure", "Structural article", 10, undefined],
      ["3.1", "Part", "Part of it", 10, "x"],
      ["4", "Set", "Set", 40, undefined],
      ["4.1", "Part", "First member", 20, "x"],
      ["4.2", "Part", "Second member", 20, "x"],
      ["5", "Own article", "Article by hand", 10, "x"],
      ["6", "Article", "Alternative", 10, undefined],
      ["7", "Article", "Optional", 10, undefined],
      ["8", "Article", "Not for offers", 10, "x"],
      ["9", "Article", "Not for orders", 10, "x"],
      ["Total", undefined, undefined, 130, undefined],
    ],
  );
  t.match(rowOf(articles, "Pos.", "6"), { Status: "Alternative" });
  t.match(rowOf(articles, "Pos.", "7"), { Status: "Optional" });
  t.match(rowOf(articles, "Pos.", "8"), { "Not in quotes": "x" });
  t.match(rowOf(articles, "Pos.", "9"), { "Not in orders": "x" });
  const levels = articles.sheet.rows.map((_, index) => articles.sheet.rowDefs?.get(index)?.outlineLevel ?? 0);
  t.strictSame(levels.slice(1, 6), [0, 1, 2, 1, 0], "what is below a folder folds away");
  t.match(rowOf(calculation, "Pos.", "3"), { "Short text": "Structural article" });
});

t.test("an alternative part of a set is listed and does not count", async (t) => {
  const part = { article: "A", text: "Part", sales: "10.00" };
  const project = projectOf({
    items: [{ set: "SET", text: "Set", items: [part, { ...part, text: "Other", status: "alternative" }] }],
  });
  const { articles, ...book } = await workbook(project);
  t.match(rowOf(articles, "Pos.", "1"), { "Net value (EUR)": 10 });
  t.match(rowOf(articles, "Pos.", "1.2"), { Status: "Alternative", "Net value (EUR)": 10 });
  t.notMatch(rowOf(articles, "Pos.", "1.2"), { "In total": "x" });
  t.match(totals(book), { "Net Value": 10 });
});

t.test("folders with a subtotal have one; one article needs no folder", async (t) => {
  const { articles } = await workbook(smallOffice());
  t.match(rowOf(articles, "Pos.", "1"), { "Short text": "Open office", "Net value (EUR)": 3212 });
  t.match(rowOf(articles, "Pos.", "Total"), {
    "Net value after project discounts (EUR)": 3562.5,
    "Taxes (EUR)": 676.88,
    "Total incl. taxes (EUR)": 4239.38,
    "Purchase value (EUR)": 1860,
  });
  const single = await workbook(
    projectOf({ items: [{ article: "ONLY", sales: "0.00" }, { article: "NONE" }] }),
  );
  t.match(rowOf(single.articles, "Article no.", "ONLY"), { "Net value (EUR)": 0 });
  t.notOk(
    "Net value (EUR)" in rowOf(single.articles, "Article no.", "NONE"),
    "no price is not a price of zero",
  );
});

t.test("a view decides on lines, merged ones and position numbers", async (t) => {
  const chair = { article: "CHAIR", text: "Chair", sales: "100.00" };
  const merged = projectOf({
    items: [chair, { ...chair, quantity: 2 }],
    views: [{ name: "As it is" }, { name: "Merged", mergeMode: "Articles" }],
  });
  const rows = async (body: object) =>
    (await workbook(merged, body)).articles
      .table()
      .map((row) => [row["Pos."], row["Quantity"], row["Net value (EUR)"]]);
  const total = ["Total", undefined, 300];
  t.strictSame(await rows({}), [["1", 1, 100], ["2", 2, 200], total]);
  t.strictSame(await rows({ viewId: id(901) }), [["1", 3, 300], total]);
  const selection = await workbook(severalViews(), { viewId: id(903) });
  t.strictSame(
    selection.articles.table().map((row) => [row["Pos."] ?? row["Short text"], row["Net value (EUR)"]]),
    [
      ["A", 100],
      ["B", 900],
      ["Not listed above, rounding", 100],
      ["Total", 1100],
    ],
    "what the view does not list is told, so that the total is that of the project",
  );
  t.strictSame(selection.articles.wrongFormulas(), []);
  const field = selection.project.table().find((row) => row["Project"] === "View");
  t.match(Object.values(field ?? {}), ["View", "Selection"]);
  const closed = await workbook(severalViews(), { viewId: id(902) });
  t.match(rowOf(closed.articles, "Short text", "Lounge"), { "In total": "x", "Net value (EUR)": 900 });
});

t.test("items leave the others out of lists and totals", async (t) => {
  const some = await workbook(severalViews(), { items: [id(2)], matchBasketItemIds: true });
  t.match(rowOf(some.articles, "Pos.", "Total"), { "Net value (EUR)": 100 });
  t.match(totals(some), { "Net Value": 100, Total: 119 });
  t.notOk(some.articles.table().some((row) => row["Short text"] === "Lounge"));
  t.match(some.calculation.table().filter((row) => row["Level"] === 400).length, 1);
  const listed = await workbook(severalViews(), { viewId: id(903), items: [id(911), id(77)] });
  t.match(rowOf(listed.articles, "Pos.", "Total"), { "Net value (EUR)": 900 });
  t.match(listed.answer.errors, [{ id: "item-not-found", scopes: ["WARN"] }]);
  const whole = await workbook(severalViews(), { items: [] });
  t.match(totals(whole), { "Net Value": 1100 });
});

t.test("each manufacturer has a workbook of its own, and all of them together are the project", async (t) => {
  const session = await host.openSession(twoManufacturers());
  const answer = await host.post("v1/export/manufacturers", {
    sessionId: session.id,
    filename: "order.xlsx",
  });
  t.match(answer.value, [
    { manufacturerId: "TWO", manufacturerName: "Second Maker", name: "order_Second_Maker.xlsx" },
    { manufacturerId: "ONE", manufacturerName: "First Maker", name: "order_First_Maker.xlsx" },
  ]);
  const nets = [];
  for (const { url } of answer.as(Type.Array(Type.Object({ url: Type.String() })))) {
    const book = await bookOf(url);
    nets.push(totals(book)["Net Value"]);
    t.strictSame(
      book.sheets.flatMap((sheet) => sheet.wrongFormulas()),
      [],
    );
  }
  t.strictSame(nets, [60, 20]);

  const kinds = await host.openSession(everyKindOfItem());
  const files = await host.post("v1/export/manufacturers", { sessionId: kinds.id });
  t.match(files.value, [{ manufacturerId: "MF" }, { manufacturerId: "", manufacturerName: "Joiner" }]);
  const nameless = projectOf({
    items: [
      { userArticle: "U", sales: "1.00" },
      { article: "A", sales: "2.00", more: malformed },
    ],
  });
  const open = await host.openSession(nameless);
  const parts = await host.post("v1/export/manufacturers", { sessionId: open.id });
  t.match(parts.value, [
    { manufacturerId: "MF", errors: [{ id: "item-text-error" }] },
    { manufacturerId: "", manufacturerName: "", name: /_Without_a_manufacturer\.xlsx$/ },
  ]);
  const [, second = {}] = parts.as(Type.Array(Type.Record(Type.String(), Type.Unknown())));
  t.notOk("errors" in second, "each tells what is wrong with its own articles");
  const [one, other] = [{ name: "Smith" }, { name: "Smith" }];
  const smiths = projectOf({
    manufacturers: { S1: one, S2: other },
    items: [
      { article: "A", manufacturer: "S1" },
      { article: "B", manufacturer: "S2" },
    ],
  });
  const both = await host.openSession(smiths);
  const alike = await host.post("v1/export/manufacturers", { sessionId: both.id, filename: "order" });
  t.match(alike.value, [{ name: "order_Smith.xlsx" }, { name: "order_Smith_S2.xlsx" }]);
  const onlyText = await host.openSession(projectOf({ items: [{ note: "A note" }] }));
  const none = await host.post("v1/export/manufacturers", { sessionId: onlyText.id });
  t.match(none.error, { code: 422, id: "project-empty" });
});

const malformed = {
  productDescription: { shortText: [{ lang: "en", value: "<open>{", format: "xml" as const }] },
};

t.test("texts stay texts in cells, and nothing in a CSV file calculates", async (t) => {
  const { articles, sheets } = await workbook(hostileTexts(), { showVariantText: true });
  const texts = articles.table().map((row) => row["Short text"]);
  for (const text of [
    hostileText.formula,
    hostileText.plus,
    hostileText.at,
    hostileText.markup,
    hostileText.family,
  ])
    t.ok(texts.includes(text), text);
  for (const sheet of sheets)
    for (const formula of sheet.formulas()) t.notMatch(formula, /HYPERLINK|@SUM|1\+1/);
  const list = await csv(hostileTexts(), "articlelist", { showVariantText: true });
  const cells = list.rows.flatMap((row) => Object.values(row));
  t.ok(cells.includes(`'${hostileText.formula}`));
  t.ok(cells.includes(`'${hostileText.at}`));
  t.ok(cells.includes(hostileText.separators));
  for (const cell of cells) t.notMatch(cell, /^[=+@\t\r]|^-(?![\d.]+$)/);
  const disguised = [" =1", "\u00a0+1", "\u0000=1", "\u200b@A1", "\ufeff=1", " \uff1d1"];
  const project = projectOf({ items: disguised.map((article) => ({ article })) });
  t.strictSame(
    (await csv(project, "articlelist")).rows.map((row) => row["Article no."]).slice(0, -1),
    disguised.map((text) => `'${text}`),
  );
  for (const path of ["header/data", "header/calculation"]) {
    for (const row of (await csv(hostileTexts(), path)).rows)
      for (const cell of Object.values(row)) t.notMatch(cell, /^[=+@\t\r]|^-(?![\d.]+$)/);
  }
});

t.test("what cannot be read is told once, and the file comes all the same", async (t) => {
  const { articles, answer } = await workbook(malformedTexts());
  t.strictSame(
    answer.errors.map(({ id }) => id),
    ["item-text-error", "item-text-error", "item-text-error"],
  );
  t.equal(rowOf(articles, "Article no.", "XML")["Short text"], "Guter Text xml");
  const missing = projectOf({
    items: [{ article: "A", sales: "1.00", more: { images: [{ tag: "front", asset: "gone" }] } }],
  });
  t.match((await workbook(missing)).answer.errors, [{ id: "item-image-error" }]);
  t.strictSame((await csv(missing, "articlelist")).answer.errors, [], "CSV has no pictures");
});

t.test("requests that cannot be served end with the error that says why", async (t) => {
  const session = await host.openSession(smallOffice());
  const empty = await host.openSession(emptyProject());
  const paths = [
    "v1/export",
    "v1/export/manufacturers",
    "v1/exportCSV",
    "v1/exportCSV/articlelist",
    "v1/exportCSV/header/calculation",
    "v1/exportCSV/header/data",
  ];
  for (const path of paths) {
    const refused = async (body: object) => (await host.post(path, body)).error;
    t.match(await refused({}), { code: 400, id: "request-bad-request" }, path);
    t.match(await refused({ sessionId: "x" }), { code: 400, id: "request-bad-request" }, path);
    t.match(await refused({ sessionId: randomUUID() }), { code: 422, id: "request-session-not-found" }, path);
    t.match(await refused({ sessionId: empty.id }), { code: 422, id: "project-empty" }, path);
    const refusedWith = (more: object) => refused({ sessionId: session.id, ...more });
    t.match(await refusedWith({ viewId: randomUUID() }), { code: 422, id: "request-view-not-found" }, path);
    t.match(
      await refusedWith({ calculationScheme: "NONE" }),
      { code: 422, id: "request-calculation-not-found" },
      path,
    );
    t.match(await refusedWith({ items: [randomUUID()] }), { code: 422, id: "project-empty" }, path);
    t.match(await refusedWith({ hideTaxes: "perhaps" }), { code: 400, id: "request-bad-request" }, path);
    t.match(await refusedWith({ sheetSettings: { articleStartRow: 0 } }), { code: 400 }, path);
    t.match(await refusedWith({ sheetSettings: { calcStartColumn: 16_001 } }), { code: 400 }, path);
    t.match(await refusedWith({ hideLineTags: "TAX" }), { code: 400 }, path);
  }
  const last = { sessionId: session.id, sheetSettings: { articleStartRow: 1_048_576 } };
  t.match((await host.post("v1/export", last)).error, { code: 422, id: "spreadsheet-too-many-rows" });
  const known = await host.post("v1/export", { sessionId: session.id, unknownMember: true });
  t.equal(known.status, 200, "members that nobody knows are ignored");
});

t.test(
  "reports, order exports and workbooks of a running host tell the same totals, to the cent",
  async (t) => {
    const running = await startHost();
    t.teardown(() => running.stop());
    const client = pluginClient(running.url, "excel");
    const alike = {
      demo: new Uint8Array(await readFile(join(repository, "config", "demo", "demo-project.obk"))),
      "each flag of an order export": flagProject(),
      "a small office": smallOffice(),
      "two manufacturers": twoManufacturers(),
      "hostile texts": hostileTexts(),
      "malformed texts": malformedTexts(),
      "prices in three currencies": foreignPrices(),
      "cents that do not divide": awkwardCents(),
      "broken prices": brokenPrices(),
      "several views": severalViews(),
      "many articles": manyArticles(200),
      "deep folders": deepFolders(20),
    };
    // An order export has no articles that are not offered, no negative quantities, and no room for eco contribution and rounding.
    const notExported = {
      "every kind of item": everyKindOfItem(),
      "hostile items": hostileProject(),
      "all that there is": fullProject(),
    };
    for (const [name, project] of Object.entries({ ...alike, ...notExported })) {
      const sessionId = await client.open(project, "en_GB");
      const asked = { url: running.url, sessionId };
      const report = await reportTotals(asked);
      const { header, list, wrongFormulas } = await workbookTotals(asked);
      t.strictSame(header, report, `${name}: report and workbook`);
      const { taxes: _, ...sums } = report;
      t.match(list, sums, `${name}: report and article list`);
      t.strictSame(wrongFormulas, [], name);
      if (!(name in alike)) continue;
      const order = await exportTotals(asked);
      t.strictSame(
        order,
        { ...report, purchase: report.purchase ?? "0.00" },
        `${name}: order export and report`,
      );
      if (name === "demo") t.match(await printedQuote(asked), "36,036.85", "and the printed quote");
    }
  },
);
