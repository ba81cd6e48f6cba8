import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectDocument } from "@slipway/sdk";
import { checkAccessibility } from "@slipway/sdk/testing";
import t from "tap";
import { repository } from "../../start-host.js";
import { folder, largeBreakdown, made, makers, unwieldyProject } from "../../templates/breakdown-project.js";
import { startMirroredReporter } from "../../templates/mirrored-reporter.js";
import type { PrintedPage } from "../../templates/printed-pages.js";
import { article, externalColumn, fullProject, project } from "../../templates/quote-project.js";

const template = "delivery-list";
const reporter = await startMirroredReporter(template);
t.teardown(() => reporter.stop());

async function print(
  session: string,
  templateOptions: Record<string, unknown> = {},
  request: Record<string, unknown> = {},
) {
  const pages = await reporter.print(session, { templateOptions, ...request }, template);
  return { pages, text: pages.map((page) => page.text).join(" ") };
}

async function demoProject(): Promise<ProjectDocument> {
  return JSON.parse(await readFile(join(repository, "config", "demo", "demo-project.json"), "utf8"));
}

/** Boxes to tick: squares of 4 mm, give or take the pixels that Chromium rounds to. */
function boxesOf(pages: PrintedPage[]): PrintedPage["boxes"] {
  const isBox = ({ left, right, top, bottom }: PrintedPage["boxes"][number]) =>
    Math.abs(right - left - 4) < 0.6 && Math.abs(bottom - top - 4) < 0.6;
  return pages.flatMap((page) => page.boxes.filter(isBox));
}

/** Numbers of the articles that begin on each page, as `article` of the support module numbers them. */
function articlesOf(pages: PrintedPage[]): number[][] {
  return pages.map((page) => [...page.text.matchAll(/No\. (\d+) Chair/g)].map((match) => Number(match[1])));
}

/** Texts of the line on which a text stands, from left to right. */
function line(pages: PrintedPage[], text: string): string[] {
  const page = pages.find((each) => each.runs.some((run) => run.text === text));
  const found = page?.runs.find((run) => run.text === text);
  return (page?.runs ?? [])
    .filter((run) => found !== undefined && Math.abs(run.baseline - found.baseline) < 0.5)
    .sort((one, other) => one.left - other.left)
    .map((run) => run.text);
}

t.test("the demo project: what is delivered where, and to whom", async (t) => {
  const { pages, text } = await print(await reporter.open(await demoProject()));
  t.equal(pages.length, 3);
  for (const each of [
    ...["Delivery list", "Harbourlight Media: new second floor", "Q-2026-1187", "20418"],
    ...[
      "Delivery address Harbourlight Media GmbH Building site, 2nd floor, gate B Lotsenkai 16 20457 Hamburg",
    ],
    ...["Contact on site Mr Piet Brandt +49 40 66969 244"],
    ...["1 Open workspace 6 positions", "2 Meeting and lounge 7 positions", "Without a room 2 positions"],
    ...["Table top: Oak, natural oil", "Special model Doors with cable cut-outs, 60 mm"],
    ...["All workplaces: natural oak and graphite", "Trial chair at your office from 1 December."],
    ...["Positions 15 Pieces 66 Packages 62 Gross weight at least 1,239.6 kg Volume at least 12.24 m³"],
    ...["Confirmation of receipt", "Handed over by", "Received by", "Signature"],
  ])
    t.ok(text.includes(each), each);
  t.same(line(pages, "LN-D16-OAK-GR"), ["1.1.1", "LN-D16-OAK-GR", "Sit-stand desk 160 x 80", "6", "pcs"]);
  t.notMatch(text, /EUR|973\.50|36,036/, "no prices");
  t.notMatch(text, /AR-240|LY-T10|ST-B1/, "nothing that is not ordered");
  t.equal(boxesOf(pages).length, 15, "a box for each position, none for the set that they make up");
  t.equal(
    pages.reduce((sum, page) => sum + page.images, 0),
    14,
  );
});

t.test("each option changes what it is for", async (t) => {
  const full = await reporter.open(fullProject());
  const first = (options: Record<string, unknown>) =>
    print(full, options, { externalRefColumn: externalColumn });
  const usual = await first({});
  const cases: [string, unknown, { lost?: string[]; won?: string[] }][] = [
    ["footerText", "Gate 4 closes at 5 pm", { won: ["Gate 4 closes at 5 pm"], lost: ["4 Foundry Yard"] }],
    ["subject", "Second lorry", { won: ["Second lorry"] }],
    ["deliveryNumber", "LS-778", { won: ["Delivery no. LS-778"] }],
    ["deliveryDate", "14 December, 8 to 12", { won: ["14 December, 8 to 12"] }],
    ["instructions", "Use the yard", { won: ["Instructions for the delivery Use the yard"] }],
    [
      "groupBy",
      "manufacturer",
      { won: ["Nordholm 4 positions", "For: Third floor"], lost: ["Lift available"] },
    ],
    ["groupBy", "none", { lost: ["Third floor"] }],
    [
      "showAlternatives",
      true,
      { won: ["Alternative – is not delivered No. 2", "Optional – is not delivered No. 3", "(1)"] },
    ],
    ["wbk_set_subitems", "Hide", { lost: ["No. 6", "No. 7"] }],
    ["showTexts", false, { lost: ["Lift available on site"] }],
    ["showManufacturer", false, { lost: ["Nordholm", "Fjell"] }],
    ["showConfiguration", false, { lost: ["slate blue"] }],
    ["showLongText", true, { won: ["End of 1"] }],
    ["showSpecialModelInfo", false, { lost: ["Seat raised by 40 mm"] }],
    ["showAdditionalText", false, { lost: ["Delivered assembled"] }],
    ["showExternalPosition", true, { won: ["EXT-77"] }],
    ["showPartialDelivery", true, { won: ["Delivered Outstanding"] }],
    ["showPackages", true, { won: ["Unit Packages"] }],
    ["showDeliveryTotals", false, { lost: ["Totals of the delivery", "Pieces 7"] }],
    ["remarkLines", 0, { lost: ["Remarks, damage, missing parts"] }],
    ["signature", "none", { lost: ["Confirmation of receipt", "Signature"] }],
    ["signature", "group", { won: ["Complete and undamaged"], lost: ["Confirmation of receipt"] }],
  ];
  for (const [key, value, { lost = [], won = [] }] of cases) {
    const { text } = await first({ [key]: value });
    const told = `${key} ${value}`;
    for (const each of lost)
      t.same([usual.text.includes(each), text.includes(each)], [true, false], `${told}: ${each}`);
    for (const each of won)
      t.same([usual.text.includes(each), text.includes(each)], [false, true], `${told}: ${each}`);
  }
  const images = async (articleImageSize: unknown) =>
    (await first({ articleImageSize })).pages.reduce((sum, page) => sum + page.images, 0);
  t.same([await images(-1), await images("30")], [0, 1]);
  t.same(
    [boxesOf(usual.pages).length, boxesOf((await first({ showCheckBoxes: false })).pages).length],
    [4, 0],
  );
  t.equal(boxesOf((await first({ wbk_set_subitems: "Hide" })).pages).length, 3, "a set as a whole has a box");
  const letter = (await first({ paper: "Letter" })).pages[0];
  t.same([Math.round(letter?.width ?? 0), Math.round(letter?.height ?? 0)], [216, 279]);
});

t.test(
  "rooms: nested ones have their path, each begins a page if wished, and its name comes again",
  async (t) => {
    const floor = folder(1, "Second floor", [
      made(1, "M1", "1.00"),
      folder(
        2,
        "Library",
        Array.from({ length: 30 }, (_, index) => made(index + 2, "M2", "1.00")),
      ),
      made(40, "M1", "1.00"),
    ]);
    const session = await reporter.open({
      ...project([floor, made(41, "", "1.00")]),
      manufacturers: makers(2),
    });
    const { pages, text } = await print(session);
    t.ok(text.includes("1 Second floor 2 positions"));
    t.ok(text.includes("1.2 Second floor › Library 30 positions"));
    t.ok(text.includes("Without a room 1 position "));
    t.ok(
      pages[1]?.text.includes("Article 1.2 Second floor › Library"),
      "the name in the head of the next page",
    );
    t.same(articlesOf(pages).flat().slice(0, 3), [1, 40, 2], "what is in the floor itself stands together");
    const apart = await print(session, { pagePerGroup: true });
    t.same(articlesOf(apart.pages)[0], [1, 40]);
    t.same(articlesOf(apart.pages).at(-1), [41]);
    const makersFirst = await print(session, { groupBy: "manufacturer" });
    const heads = ["Maker 1 2 positions", "Maker 2 30 positions", "Without a manufacturer 1 position"];
    const places = heads.map((head) => makersFirst.text.indexOf(head));
    t.ok(
      places[0] !== -1 && places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0)),
      `${places}`,
    );
    t.ok(makersFirst.text.includes("For: Second floor › Library"));
  },
);

for (const count of [30, 1000]) {
  t.test(`${count} articles flow over the pages`, async (t) => {
    const session = await reporter.open(largeBreakdown(count, 5, Math.ceil(count / 25)));
    const { pages } = await print(session, { pagePerGroup: false });
    t.equal(boxesOf(pages).length, count);
    t.same(
      articlesOf(pages).flat(),
      Array.from({ length: count }, (_, index) => index + 1),
    );
    const problems: string[] = [];
    pages.forEach((page, index) => {
      const isLast = index === pages.length - 1;
      if (!isLast && !page.text.includes("OK Pos. Article")) problems.push(`page ${index + 1}: no head`);
      if (!page.text.includes(`${index + 1}/${pages.length}`)) problems.push(`page ${index + 1}: no number`);
      // A heading or the head of a table with nothing below it.
      if (/(?:positions|Quantity Unit)$/.test(page.text))
        problems.push(`page ${index + 1}: ends with a heading`);
      const texts = page.runs.map((run) => run.text);
      const lowest = Math.max(...page.runs.filter((run) => run.baseline < 270).map((run) => run.baseline));
      const end = page.runs.filter((run) => run.baseline === lowest).map((run) => run.text);
      if (end.includes("Quantity") || end.some((each) => each.endsWith(" positions")))
        problems.push(`page ${index + 1}: ${texts.at(-1)}`);
    });
    t.same(problems, []);
  });
}

t.test("page breaks come where the request wants them", async (t) => {
  const session = await reporter.open(project([article(1), article(2), article(3)]));
  const articles = async (...pageBreaks: [string, string][]) => {
    const breaks = pageBreaks.map(([posNo, value]) => ({ posNo, value }));
    return articlesOf((await print(session, {}, { pageBreaks: breaks })).pages);
  };
  t.same((await articles())[0], [1, 2, 3]);
  t.same((await articles(["2", "before"])).slice(0, 2), [[1], [2, 3]]);
  t.same((await articles(["2", "after"])).slice(0, 2), [[1, 2], [3]]);
});

t.test("nothing to deliver, nobody to deliver to", async (t) => {
  const note = {
    type: "text" as const,
    id: "00000000-0000-4000-8000-000000000001",
    text: [{ lang: "en", value: "Only a note" }],
  };
  const bare = await print(await reporter.open({ ...project([note]), addresses: [], header: {} }));
  t.ok(bare.text.includes("Only a note"));
  t.notMatch(bare.text, /Delivery address|Contact on site|Article/);
  const inactive = await reporter.open(project([article(1, { inactive: [{ kind: "optional" }] })]));
  const { text } = await print(inactive);
  t.ok(text.includes("There is nothing to deliver."));
  t.notMatch(text, /Signature|No\. 1/);
});

t.test("each language has all its words, and right to left is a mirror", async (t) => {
  const words: Record<string, unknown> = JSON.parse(
    await readFile(join(repository, "templates", template, "i18n", "en.json"), "utf8"),
  );
  const keys = Object.keys(words).filter((key) => /[A-Z]/.test(key));
  const titles = {
    de_DE: "Lieferliste",
    fr_FR: "Liste de livraison",
    nl_NL: "Leverlijst",
    pl_PL: "Lista dostawy",
    es_ES: "Lista de entrega",
  };
  const options = {
    showPartialDelivery: true,
    showPackages: true,
    showAlternatives: true,
    instructions: "!",
  };
  for (const [locale, title] of Object.entries(titles)) {
    const { text } = await print(await reporter.open(fullProject(), locale), options);
    t.ok(text.includes(title), `${locale}: ${title}`);
    t.same(
      keys.filter((key) => text.includes(key)),
      [],
      locale,
    );
  }
  const pages = await reporter.print(await reporter.open(fullProject(), "ar_AE"), {}, template);
  t.same(
    boxesOf(pages).map((box) => Math.round(box.right)),
    Array(4).fill(190),
    "boxes at the right",
  );
});

t.test("nothing leaves the text area, and the file is accessible", async (t) => {
  const session = await reporter.open(unwieldyProject());
  const { pages } = await print(session, { showPartialDelivery: true, showPackages: true });
  const outside = pages.flatMap((page) =>
    page.runs.filter((run) => run.left < 19.5 || run.right > 190.6).map((run) => run.text),
  );
  t.same(outside, []);
  for (const each of [session, await reporter.open(await demoProject())]) {
    t.same(checkAccessibility(await reporter.file(each, {}, template)), []);
  }
});
