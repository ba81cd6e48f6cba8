import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectDocument } from "@slipway/sdk";
import { checkAccessibility } from "@slipway/sdk/testing";
import t from "tap";
import { repository } from "../../start-host.js";
import { folder, largeBreakdown, made, makers, unwieldyProject } from "../../templates/breakdown-project.js";
import { startMirroredReporter } from "../../templates/mirrored-reporter.js";
import type { PrintedPage } from "../../templates/printed-pages.js";
import { article, fullProject, project } from "../../templates/quote-project.js";

const template = "management-overview";
const reporter = await startMirroredReporter(template);
t.teardown(() => reporter.stop());

async function print(session: string, templateOptions: Record<string, unknown> = {}) {
  const pages = await reporter.print(session, { templateOptions }, template);
  return { pages, text: pages.map((page) => page.text).join(" ") };
}

async function demoProject(): Promise<ProjectDocument> {
  return JSON.parse(await readFile(join(repository, "config", "demo", "demo-project.json"), "utf8"));
}

/** Where bars begin on the paper, in millimetres. */
const zero = 73;

/** Bars of a page from top to bottom: what is 3.6 mm high, give or take the pixel that Chromium rounds to. */
function bars(page: PrintedPage | undefined): { left: number; right: number; length: number }[] {
  return (page?.boxes ?? [])
    .filter((box) => Math.abs(box.bottom - box.top - 3.6) < 0.2 && box.right - box.left > 0.15)
    .sort((one, other) => one.top - other.top)
    .map(({ left, right }) => ({ left, right, length: right - left }));
}

/** Texts of the line on which a text stands, from left to right. */
function line(page: PrintedPage | undefined, text: string): string[] {
  const found = page?.runs.find((run) => run.text === text);
  return (page?.runs ?? [])
    .filter((run) => found !== undefined && Math.abs(run.baseline - found.baseline) < 0.5)
    .sort((one, other) => one.left - other.left)
    .map((run) => run.text);
}

t.test("the demo project: one page says it all, tables behind it prove it", async (t) => {
  const { pages } = await print(await reporter.open(await demoProject()));
  const [first, second, ...further] = pages;
  t.equal(further.length, 0);
  for (const each of [
    ...["Management overview", "Harbourlight Media: new second floor", "Q-2026-1187", "Jonna Lindqvist"],
    ...["Total EUR 36,036.85", "Net total EUR 30,349.69", "Taxes EUR 5,687.16"],
    ...["Positions 15", "Pieces 66", "Manufacturers 4", "Folders 2", "Net against list price -5.2%"],
  ])
    t.ok(first?.text.includes(each), each);
  t.same(line(first, "Brenholt Workplaces"), ["Brenholt Workplaces", "15,232.00", "48%"]);
  t.same(line(first, "Outside of folders"), ["Outside of folders", "2,167.00", "7%"]);
  const steps = ["List price", "Absolute discount 1", "Project discount (-3%)", "Value Added Tax (7%)"];
  t.same(
    steps.map((label) => line(first, label).at(-1)),
    ["32,031.00", "-144.00", "-900.61", "46.25"],
  );
  t.same(line(second, "Brenholt Workplaces"), ["Brenholt Workplaces", "7", "27", "15,232.00", "48.36"]);
  t.same(line(second, "Sum of positions"), ["Sum of positions", "15", "66", "31,500.30", "100.00"]);
  t.same(line(second, "7%"), ["Value Added Tax", "7%", "660.67", "46.25"]);
  t.same(line(second, "All taxes"), ["All taxes", "5,687.16"]);
});

t.test("bars are as long as what they stand for", async (t) => {
  const { pages } = await print(await reporter.open(await demoProject()));
  const lengths = bars(pages[0]).map((bar) => bar.length);
  const nets = [15_232, 10_789.3, 3312, 2167];
  const rooms = [16_881.3, 12_452, 2167];
  const inProportion = (drawn: number[], values: number[]) => {
    const [longest = 0, largest = 1] = [drawn[0], values[0]];
    return drawn.every((length, index) => Math.abs(length / longest - (values[index] ?? 0) / largest) < 0.01);
  };
  t.ok(inProportion(lengths.slice(0, 4), nets), `${lengths.slice(0, 4)}`);
  t.ok(inProportion(lengths.slice(4, 7), rooms), `${lengths.slice(4, 7)}`);
  t.same(
    bars(pages[0])
      .slice(0, 7)
      .map((bar) => Math.round(bar.left)),
    Array(7).fill(zero),
    "all from one line",
  );
  const steps = bars(pages[0]).slice(7);
  const [list, ...changes] = steps;
  const total = steps.at(-1);
  t.ok(inProportion([total?.length ?? 0, list?.length ?? 0], [36_036.85, 32_031]), "list price and total");
  t.ok(
    changes.slice(0, 2).every((change) => change.right <= (list?.right ?? 0) + 0.3 && change.left > 100),
    "a discount is taken off at the end of the list price",
  );
});

t.test("each option changes what it is for", async (t) => {
  const demo = await reporter.open(await demoProject());
  const usual = await print(demo);
  const cases: [string, unknown, { lost?: string[]; won?: string[] }][] = [
    ["subject", "Board meeting", { won: ["Board meeting"] }],
    ["footerText", "Confidential", { won: ["Confidential"], lost: ["Werftgang 3"] }],
    ["showKeyFigures", false, { lost: ["Key figures", "Pieces 66", "EUR 36,036.85"] }],
    [
      "showManufacturers",
      false,
      { lost: ["Net value by manufacturer", "By manufacturer", "Solvanne Seating"] },
    ],
    ["showFolders", false, { lost: ["Net value by folder", "By folder", "Meeting and lounge"] }],
    ["showPriceSteps", false, { lost: ["From list price to total", "List price 32,031.00"] }],
    ["showTaxes", false, { lost: ["Taxed on", "All taxes"] }],
    ["showTables", false, { lost: ["By manufacturer", "By folder", "All taxes", "48.36"] }],
    ["chartKind", "none", { lost: ["Net value by manufacturer", "Net value by folder"] }],
    ["chartMeasure", "quantity", { won: ["Pieces by manufacturer"], lost: ["Net value by manufacturer"] }],
    [
      "showDiscounts",
      false,
      { won: ["From net to total"], lost: ["List price", "Project discount", "-5.2%"] },
    ],
    ["showPurchase", true, { won: ["Purchase value EUR 16,820.83", "Margin EUR 13,528.86", "44.58%"] }],
  ];
  for (const [key, value, { lost = [], won = [] }] of cases) {
    const { text } = await print(demo, { [key]: value });
    for (const each of lost)
      t.same([usual.text.includes(each), text.includes(each)], [true, false], `${key}: ${each}`);
    for (const each of won)
      t.same([usual.text.includes(each), text.includes(each)], [false, true], `${key}: ${each}`);
  }
  const letter = (await print(demo, { paper: "Letter" })).pages[0];
  t.same([Math.round(letter?.width ?? 0), Math.round(letter?.height ?? 0)], [216, 279]);
  t.equal(bars((await print(demo, { chartKind: "none" })).pages[0]).length, 0);
  const short = (await print(demo, { showTables: false })).pages;
  t.equal(short.length, 1);
});

t.test("many makers: the largest have bars, all others one of exactly their sum", async (t) => {
  const session = await reporter.open(largeBreakdown(300, 40, 12));
  const { pages, text } = await print(session);
  t.equal(pages.length, 3);
  // 300 articles: makers 1 to 20 have 8 of them, 21 to 40 have 7.
  const net = (maker: number) => maker * 100 * (maker <= 20 ? 8 : 7);
  const all = Array.from({ length: 40 }, (_, index) => net(index + 1));
  const sum = (values: number[]) => values.reduce((one, other) => one + other, 0);
  const largest = [...all].sort((one, other) => other - one);
  t.same(line(pages[0], "34 others")[1], `${sum(largest.slice(6)).toLocaleString("en-GB")}.00`);
  t.same(line(pages[0], "Maker 40")[1], "28,000.00");
  t.notOk(pages[0]?.text.includes("Maker 34 "), "the seventh is one of the others");
  const tables = pages
    .slice(1)
    .map((page) => page.text)
    .join(" ");
  for (let maker = 1; maker <= 40; maker++)
    t.equal(tables.split(`Maker ${maker} `).length, 2, `maker ${maker} once in the tables`);
  t.ok(pages[2]?.text.includes("Manufacturer Positions Pieces"), "the head comes again");
  t.ok(text.includes("Room 12"));
  const three = (await print(session, { chartRows: 3 })).pages[0];
  t.same(line(three, "37 others")[1], `${sum(largest.slice(3)).toLocaleString("en-GB")}.00`);
  t.equal((await print(session, { chartRows: 20 })).pages[0]?.text.includes("20 others"), true);
});

t.test("amounts below zero grow to the other side", async (t) => {
  const items = [
    folder(1, "Lobby", [made(1, "M1", "1000.00"), made(2, "M2", "-400.00")]),
    folder(2, "Credit", [made(3, "M3", "-250.00")]),
    made(4, "M4", "0.01"),
  ];
  const { pages } = await print(await reporter.open({ ...project(items), manufacturers: makers(4) }));
  const [first, , credit, debit] = bars(pages[0]);
  t.ok(first && debit && Math.abs(first.left - debit.right) < 0.3, "from the same zero");
  t.ok(first && debit && Math.abs(debit.length / first.length - 0.4) < 0.01);
  t.ok(credit && debit && Math.abs(credit.length / debit.length - 250 / 400) < 0.02);
  t.same(line(pages[0], "Maker 2"), ["Maker 2", "-400.00", "-114%"]);
  t.same(line(pages[0], "Credit"), ["Credit", "-250.00", "-71%"]);
});

t.test("without prices it counts pieces, and a sum of zero has no shares", async (t) => {
  const unpriced = [
    folder(1, "Lobby", [
      made(1, "M1", undefined),
      made(2, "M2", undefined, { quantity: { value: "7", unit: "C62" } }),
    ]),
    made(3, "", undefined),
  ];
  const none = await print(await reporter.open({ ...project(unpriced), manufacturers: makers(2) }));
  t.notMatch(none.text, /GBP|Taxes|Net|Share|0\.00/);
  t.ok(none.text.includes("Pieces by manufacturer"));
  t.same(line(none.pages[0], "Maker 2"), ["Maker 2", "7"]);
  t.ok(none.text.includes("Without a manufacturer"));
  t.same(
    bars(none.pages[0])
      .slice(0, 2)
      .map((bar) => Math.round(bar.length * 10))
      .map((length, _, [longest = 1]) => Math.round((7 * length) / longest)),
    [7, 1],
  );
  const zeroSum = [folder(1, "Lobby", [made(1, "M1", "1000.00"), made(2, "M2", "-1000.00")])];
  const zeroTotal = await print(await reporter.open({ ...project(zeroSum), manufacturers: makers(2) }));
  t.ok(zeroTotal.text.includes("Total GBP 0.00"));
  t.notMatch(zeroTotal.text, /Share|100%/);
  const note = await reporter.open({
    ...project([
      {
        type: "text",
        id: "00000000-0000-4000-8000-000000000001",
        text: [{ lang: "en", value: "Only a note" }],
      },
    ]),
    addresses: [],
    header: {},
  });
  t.ok((await print(note)).text.includes("Positions 0"));
});

t.test("a small project needs one page, a thousand articles no more than its rooms", async (t) => {
  t.equal((await print(await reporter.open(project([article(1)])))).pages.length, 1);
  t.equal((await print(await reporter.open(largeBreakdown(30, 5, 3)))).pages.length, 2);
  const { pages } = await print(await reporter.open(largeBreakdown(1000, 5, 40)));
  t.equal(pages.length, 3);
  t.ok(pages[0]?.text.includes("Pieces 1,000"));
});

t.test("each language has all its words, and right to left is a mirror", async (t) => {
  const session = async (locale: string) => reporter.open(fullProject(), locale);
  const words: Record<string, unknown> = JSON.parse(
    await readFile(join(repository, "templates", template, "i18n", "en.json"), "utf8"),
  );
  const keys = Object.keys(words).filter((key) => /[A-Z]/.test(key));
  const titles = {
    de_DE: "Managementübersicht",
    fr_FR: "Synthèse de direction",
    nl_NL: "Managementoverzicht",
    pl_PL: "Zestawienie dla kierownictwa",
    es_ES: "Resumen para dirección",
  };
  for (const [locale, title] of Object.entries(titles)) {
    const { text } = await print(await session(locale), { showPurchase: true });
    t.ok(text.includes(title), `${locale}: ${title}`);
    t.same(
      keys.filter((key) => text.includes(key)),
      [],
      locale,
    );
  }
  const id = await reporter.open(await demoProject(), "ar_AE");
  const [page] = await reporter.print(id, {}, template);
  t.same(
    bars(page)
      .slice(0, 4)
      .map((bar) => Math.round(bar.right)),
    Array(4).fill(210 - zero),
    "bars grow to the left",
  );
  t.equal(Math.round(page?.runs.find((run) => run.text === "Management overview")?.right ?? 0), 190);
});

t.test("nothing leaves the text area, and the file is accessible", async (t) => {
  const session = await reporter.open(unwieldyProject());
  const { pages } = await print(session);
  const outside = pages.flatMap((page) =>
    page.runs.filter((run) => run.left < 19.5 || run.right > 190.6).map((run) => run.text),
  );
  t.same(outside, []);
  for (const each of [session, await reporter.open(await demoProject())]) {
    t.same(checkAccessibility(await reporter.file(each, {}, template)), []);
  }
});
