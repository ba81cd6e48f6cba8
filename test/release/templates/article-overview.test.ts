import type { ArticleItem, Item } from "@slipway/sdk";
import { checkAccessibility } from "@slipway/sdk/testing";
import sharp from "sharp";
import t from "tap";
import { startMirroredReporter } from "../../templates/mirrored-reporter.js";
import { checkOptionEffects, type OptionEffect } from "../../templates/option-effects.js";
import type { PrintedPage } from "../../templates/printed-pages.js";
import { rounded, runOf } from "../../templates/quote-pages.js";
import { article, fullProject, id, project } from "../../templates/quote-project.js";

const template = "article-overview";

const reporter = await startMirroredReporter(template, "product-comparison");
t.teardown(() => reporter.stop());

async function printed(session: string, templateOptions: Record<string, unknown> = {}) {
  const pages = await reporter.print(session, { templateOptions }, template);
  return { pages, text: textOf(pages) };
}

function textOf(pages: PrintedPage[]): string {
  return pages.map((page) => page.text.replaceAll("\u00a0", " ")).join(" ");
}

function imagesOf(pages: PrintedPage[]): number {
  return pages.reduce((sum, page) => sum + page.images, 0);
}

function articles(count: number): ArticleItem[] {
  return Array.from({ length: count }, (_, index) => article(index + 1));
}

function text(value: string) {
  return [{ lang: "en", value }];
}

t.test(
  "an overview shows each article with picture, texts, features and quantity, and no price",
  async (t) => {
    const { pages, text } = await printed(await reporter.open(fullProject()));
    t.equal(pages.length, 1);
    t.same(rounded(pages[0], "width", "height"), [210, 297]);
    for (const each of [
      ...["Article overview", "Quay House", "Brightwater Studios Ltd", "Q-0815", "Third floor"],
      ...["Chair 1", "No. 1", "Nordholm · Fjell", "End of 1", "Colour:", "slate blue", "4 pcs", "Pos. 1.1"],
      ...["Seat raised by 40 mm", "Delivered assembled", "Alternative", "Optional", "Chair 7"],
    ]) {
      t.ok(text.includes(each), each);
    }
    t.notMatch(text, /GBP|100\.00|120\.00|SET-1/);
    t.equal(imagesOf(pages), 1, "extra pictures are no part of an overview");
    t.ok(text.includes("Different articles 6"), "parts of a set are articles");
  },
);

t.test("the name of a contact is escaped once", async (t) => {
  const full = fullProject();
  const contacts = [{ id: 1, firstName: "Ann", lastName: "O'Neil & <Sons>" }];
  const addresses = [
    ...(full.addresses ?? []),
    { addressType: "InCharge" as const, name1: "Sales", contactIds: [1] },
  ];
  const { text } = await printed(await reporter.open({ ...full, contacts, addresses }));
  t.ok(text.includes("Ann O'Neil & <Sons>"), text.slice(0, 500));
});

t.test("each option changes what it is for", async (t) => {
  const full = fullProject();
  const session = await reporter.open({
    ...full,
    header: { ...full.header, description: "Fit-out of two floors" },
  });
  const usual = await printed(session);
  const cases: OptionEffect[] = [
    ["subject", "New chairs", { won: ["New chairs"] }],
    ["groupBy", "none", { lost: ["Third floor"] }],
    [
      "wbk_set_subitems",
      "Hide",
      { lost: ["No. 7 Nordholm"], won: ["Double workplace", "1 × No. 6 Chair 6"] },
    ],
    ["showAlternatives", false, { lost: ["Chair 2", "Chair 3", "Alternative"] }],
    ["showPosition", false, { lost: ["Pos. 1.1"] }],
    ["showArticleNumber", false, { lost: ["No. 1"] }],
    ["showManufacturer", false, { lost: ["Nordholm"] }],
    ["showSeries", false, { lost: ["Fjell"] }],
    ["showLongText", false, { lost: ["End of 1"] }],
    ["showFeatures", false, { lost: ["slate blue"] }],
    ["showSpecialModelInfo", false, { lost: ["Seat raised by 40 mm"] }],
    ["showAdditionalText", false, { lost: ["Delivered assembled"] }],
    ["showQuantity", false, { lost: ["4 pcs"] }],
    ["showDescription", false, { lost: ["Fit-out of two floors"] }],
    ["layout", "list", { won: ["Configuration"] }],
  ];
  await checkOptionEffects(t, usual.text, cases, (options) => printed(session, options));
});

t.test("identical articles appear once, with the exact sum of their quantities", async (t) => {
  const cable = (number: number, value: string): Item => ({
    ...article(1),
    id: id(number),
    quantity: { value, unit: "MTR" },
  });
  const session = await reporter.open(
    project([cable(11, "0.1"), article(2), cable(12, "0.2"), cable(13, "10")]),
  );
  const once = await printed(session);
  t.match(once.text, /Pos\. 1, 3, 4 10\.3 m/);
  t.equal(once.text.split("Chair 1").length - 1, 1);
  const each = await printed(session, { mergeArticles: false });
  t.equal(each.text.split("Chair 1").length - 1, 3);
  t.match(each.text, /0\.1 m .* 0\.2 m .* 10 m/);
  const many = await reporter.open(project(Array.from({ length: 20 }, (_, index) => cable(index + 1, "1"))));
  t.match((await printed(many)).text, /Pos\. 1, 2, 3, 4, 5 \+ 15 more 20 m/);
});

t.test("what differs in something that is not printed looks the same and appears once", async (t) => {
  const painted = (number: number, colour: string): Item => ({
    ...article(1),
    id: id(number),
    features: [
      { name: "c", value: colour, nameText: text("Colour"), valueText: text(colour), visible: true },
    ],
  });
  const session = await reporter.open(project([painted(11, "black"), painted(12, "white")]));
  t.match((await printed(session)).text, /black .*1 pcs.* white .*1 pcs/);
  t.match((await printed(session, { showFeatures: false })).text, /2 pcs/);
});

t.test(
  "articles are grouped by folder, manufacturer or series, and each group may have a page",
  async (t) => {
    const of = (number: number, manufacturerId: string, seriesId: string) =>
      article(number, { manufacturerId, seriesId });
    const folder = (number: number, name: string, children: Item[]): Item => ({
      type: "folder",
      id: id(number),
      name: text(name),
      children,
    });
    const session = await reporter.open(
      project(
        [
          of(1, "NOR", "FJ"),
          folder(80, "Ground floor", [of(2, "NOR", "FJ"), folder(81, "Kitchen", [of(3, "SUN", "")])]),
          folder(82, "Attic", [of(4, "SUN", ""), of(5, "NOR", "VI")]),
        ],
        {
          manufacturers: {
            NOR: { name: text("Nordholm"), series: { FJ: text("Fjell"), VI: text("Vidde") } },
            SUN: { name: text("Sundby"), series: {} },
          },
        },
      ),
    );
    const cases: [string, string[][]][] = [
      ["none", [["Chair 1", "Chair 2", "Chair 3", "Chair 4", "Chair 5"]]],
      [
        "folder",
        [
          ["Ground floor", "Chair 2"],
          ["Ground floor / Kitchen", "Chair 3"],
          ["Attic", "Chair 4", "Chair 5"],
          ["Other articles", "Chair 1"],
        ],
      ],
      [
        "manufacturer",
        [
          ["Nordholm", "Chair 1", "Chair 2", "Chair 5"],
          ["Sundby", "Chair 3", "Chair 4"],
        ],
      ],
      [
        "series",
        [
          ["Nordholm · Fjell", "Chair 1", "Chair 2"],
          ["Sundby", "Chair 3", "Chair 4"],
          ["Nordholm · Vidde", "Chair 5"],
        ],
      ],
    ];
    for (const [groupBy, expected] of cases) {
      const { pages } = await printed(session, {
        groupBy,
        pagePerGroup: true,
        showManufacturer: false,
        showSeries: false,
      });
      const titles = pages.map((page) =>
        page.runs
          .filter((run) => Math.round(run.size) === 10 || /^Chair \d$/.test(run.text))
          .map((run) => run.text),
      );
      t.same(
        titles.map((page) => page.filter((each) => each !== "Quay House")),
        expected,
        groupBy,
      );
      t.equal((await printed(session, { groupBy })).pages.length, 1, `${groupBy}: on one page unless asked`);
    }
  },
);

t.test("tiles stand in as many columns as asked for, the list has one line each", async (t) => {
  const session = await reporter.open(project(articles(5)));
  const lefts = async (options: Record<string, unknown>) => {
    const { pages } = await printed(session, options);
    return [1, 2, 3, 4, 5].map((number) => Math.round(runOf(pages, `Chair ${number}`).left));
  };
  t.same(await lefts({ columns: 2 }), [20, 108, 20, 108, 20]);
  t.same(await lefts({}), [20, 78, 137, 20, 78]);
  t.same(await lefts({ columns: "4" }), [20, 64, 108, 151, 20]);
  t.same(await lefts({ layout: "list" }), [20, 20, 20, 20, 20]);
  const mixed = await reporter.open(project([10, 9, 2].map((number) => article(number))));
  t.match((await printed(mixed)).text, /No\. 10 .*No\. 9 .*No\. 2 /);
  t.match((await printed(mixed, { sortBy: "articleNumber" })).text, /No\. 2 .*No\. 9 .*No\. 10 /);
  const [american] = (await printed(session, { paper: "Letter" })).pages;
  t.same(rounded(american, "width", "height"), [216, 279]);
});

t.test("a cover page has the facts of the project and the groups", async (t) => {
  const full = fullProject();
  const session = await reporter.open({ ...full, items: [...full.items, article(9)] });
  const [cover, first] = (await printed(session, { coverPage: true })).pages;
  t.match(
    cover?.text,
    /Q-0815 Article overview Quay House .*Brightwater Studios Ltd .*Contents Third floor 6 Other articles 1/,
  );
  t.notOk(cover?.text.includes("Chair 1"));
  t.ok(first?.text.includes("Chair 1"));
  t.equal(cover?.images, 1, "pictures of the first articles");
});

t.test("pictures of any size fit their frame, and articles without any leave no hole", async (t) => {
  const picture = async (width: number, height: number) => ({
    mediaType: "image/jpeg",
    base64: (
      await sharp({ create: { width, height, channels: 3, background: "#c8d8e8" } })
        .jpeg()
        .toBuffer()
    ).toString("base64"),
    width,
    height,
  });
  const shown = (number: number, asset: string) => article(number, { images: [{ tag: "default", asset }] });
  const session = await reporter.open(
    project([shown(1, "wide"), shown(2, "tall"), article(3), article(4), article(5)], {
      assets: { wide: await picture(3000, 400), tall: await picture(200, 1500) },
    }),
  );
  for (const layout of ["grid", "list"]) {
    const { pages } = await printed(session, { layout });
    t.same(
      pages.map((page) => page.images),
      [2],
      layout,
    );
  }
  const { pages } = await printed(session);
  const [first, second] = [1, 4].map((number) => runOf(pages, `Chair ${number}`).baseline);
  t.ok(second && first && second - first < 45, "no frames in a row without pictures");
  t.same(
    (await printed(session, { pictureSize: "none" })).pages.map((page) => page.images),
    [0],
  );
  const tops = await Promise.all(
    ["small", "medium", "large"].map(
      async (pictureSize) => runOf((await printed(session, { pictureSize })).pages, "Chair 1").baseline,
    ),
  );
  t.same(
    tops,
    [...tops].sort((one, other) => one - other),
  );
  t.equal(new Set(tops.map(Math.round)).size, 3);
});

for (const [layout, count] of [
  ["grid", 30],
  ["grid", 1000],
  ["list", 300],
] as const) {
  t.test(`${count} articles flow over the pages as ${layout}`, async (t) => {
    const { pages } = await printed(await reporter.open(project(articles(count))), { layout });
    t.ok(pages.length > count / 25 && pages.length < count / 7, `${pages.length} pages`);
    const problems: string[] = [];
    const seen: number[] = [];
    for (const [index, page] of pages.entries()) {
      const numbers = (pattern: RegExp) => [...page.text.matchAll(pattern)].map((match) => Number(match[1]));
      const begun = numbers(/Chair (\d+)/g);
      const ended = numbers(/End of (\d+)/g).sort((one, other) => one - other);
      if (begun.join() !== ended.join()) problems.push(`page ${index + 1}: torn ${begun} / ${ended}`);
      if (begun.length === 0) problems.push(`page ${index + 1}: no article`);
      if (!page.text.includes(`${index + 1}/${pages.length}`)) problems.push(`page ${index + 1}: no number`);
      if (layout === "list" && !page.text.includes("Article Quantity"))
        problems.push(`page ${index + 1}: no head`);
      if (page.runs.some((run) => run.right > 190.5 || run.baseline > 290))
        problems.push(`page ${index + 1}: over the edge`);
      seen.push(...begun);
    }
    t.same(problems, []);
    t.same(
      seen,
      Array.from({ length: count }, (_, index) => index + 1),
    );
  });
}

t.test("long words, long texts and empty fields are printed whole", async (t) => {
  const lines = Array.from({ length: 150 }, (_, index) => `Paragraph ${index + 1} of many.`);
  const word = "Verstellmechanismusabdeckungsblende".repeat(4);
  const session = await reporter.open(
    project([
      article(1, { productDescription: { shortText: text(word) }, baseArticleNumber: "X".repeat(90) }),
      article(2, { productDescription: { shortText: text("Long"), longText: text(lines.join("\n")) } }),
      article(3, { productDescription: {}, baseArticleNumber: "", manufacturerId: "", seriesId: "" }),
    ]),
  );
  for (const layout of ["grid", "list"]) {
    const { pages } = await printed(session, { layout });
    const all = textOf(pages);
    t.same(
      [...all.matchAll(/Paragraph (\d+) of many/g)].map((match) => Number(match[1])),
      lines.map((_, index) => index + 1),
      layout,
    );
    t.ok(all.replaceAll(" ", "").includes(word), `${layout}: the word is whole`);
    t.ok(
      pages.every((page) => page.runs.every((run) => run.right <= 190.5)),
      `${layout}: nothing over the edge`,
    );
    t.ok(pages.length <= 5, `${layout}: ${pages.length} pages`);
  }
});

t.test("a project without articles says so", async (t) => {
  const note: Item = { type: "text", id: id(1), text: text("To be planned") };
  const { pages, text: all } = await printed(await reporter.open(project([note])));
  t.equal(pages.length, 1);
  t.ok(all.includes("The project has no articles to show."));
});

t.test("every layout is accessible", async (t) => {
  const tall = article(8, {
    productDescription: { shortText: text("Long"), longText: text("A line\n".repeat(90)) },
  });
  const full = fullProject();
  const session = await reporter.open({ ...full, items: [...full.items, tall] });
  for (const templateOptions of [
    { coverPage: true },
    { layout: "list" },
    { groupBy: "none", pictureSize: "none" },
  ]) {
    const file = await reporter.file(session, { templateOptions }, template);
    t.same(checkAccessibility(file), [], JSON.stringify(templateOptions));
  }
});

t.test("every language has its words", async (t) => {
  const cases: [string, string[]][] = [
    ["en_GB", ["Article overview", "Different articles", "Contains"]],
    ["de_DE", ["Artikelübersicht", "Verschiedene Artikel", "Enthält"]],
    ["fr_FR", ["Récapitulatif des articles", "Articles différents", "Comprend"]],
    ["nl_NL", ["Artikeloverzicht", "Verschillende artikelen", "Bevat"]],
    ["pl_PL", ["Zestawienie artykułów", "Różne artykuły", "Zawiera"]],
    ["es_ES", ["Resumen de artículos", "Artículos distintos", "Contiene"]],
  ];
  for (const [locale, words] of cases) {
    const session = await reporter.open(fullProject(), locale);
    const { text } = await printed(session, { wbk_set_subitems: "Hide", coverPage: true });
    for (const word of words) t.ok(text.includes(word), `${locale}: ${word}`);
  }
});

t.test("a language that is written from right to left begins at the right", async (t) => {
  const session = await reporter.open(fullProject(), "ar_AE");
  const rights = async (key: string, templateOptions: Record<string, unknown>, ...texts: string[]) => {
    const pages = await reporter.print(session, { templateOptions }, key);
    return texts.map((each) => Math.round(runOf(pages, each).right));
  };
  t.same(
    await rights(template, {}, "Article overview", "Chair 1", "Chair 2", "Chair 3"),
    [190, 190, 132, 73],
  );
  t.same(await rights(template, { layout: "list" }, "Article", "Configuration"), [156, 88]);
  t.same(await rights("product-comparison", {}, "Product comparison", "Property"), [277, 277]);
});
