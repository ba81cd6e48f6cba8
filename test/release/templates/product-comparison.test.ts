import type { ArticleItem, Item } from "@slipway/sdk";
import t from "tap";
import { checkOptionEffects, type OptionEffect } from "../../templates/option-effects.js";
import type { PrintedPage, PrintedRun } from "../../templates/printed-pages.js";
import { startReporter } from "../../templates/printed-reports.js";
import { rounded, run, runOf } from "../../templates/quote-pages.js";
import { article, fullProject, id, onePixel, project } from "../../templates/quote-project.js";

const reporter = await startReporter();
t.teardown(() => reporter.stop());

async function printed(session: string, templateOptions: Record<string, unknown> = {}) {
  const pages = await reporter.print(session, { templateOptions }, "product-comparison");
  return { pages, text: pages.map((page) => page.text).join(" ") };
}

function text(value: string) {
  return [{ lang: "en", value }];
}

/** A chair with features, from pairs of name and value. */
function chair(
  number: number,
  features: Record<string, string>,
  changes: Partial<ArticleItem> = {},
): ArticleItem {
  return article(number, {
    productDescription: { shortText: text(`Chair ${number}`) },
    features: Object.entries(features).map(([name, value]) => ({
      name: name.toUpperCase(),
      value,
      nameText: text(name),
      valueText: text(value),
      visible: true,
    })),
    ...changes,
  });
}

function chairs(count: number): ArticleItem[] {
  return Array.from({ length: count }, (_, index) => chair(index + 1, { Colour: `colour ${index + 1}` }));
}

/** Texts of the row with this label: one for each column, where its head begins. */
function row(page: PrintedPage, label: string): (string | undefined)[] {
  const start = run(page, label);
  const heads = page.runs.filter((each) => /^Chair \d+$/.test(each.text));
  const cell = (head: PrintedRun) =>
    page.runs.find(
      (each) => Math.abs(each.baseline - start.baseline) < 0.1 && Math.abs(each.left - head.left) < 0.1,
    )?.text;
  return heads.map(cell);
}

/** Whether the row with this label has the sign for differences before it. */
function isMarked(page: PrintedPage, label: string): boolean {
  const { left, baseline } = run(page, label);
  return page.boxes.some(
    (box) =>
      box.right <= left &&
      box.left > left - 4 &&
      box.right - box.left > 1 &&
      box.top < baseline &&
      box.bottom > baseline - 3,
  );
}
function heads(pages: PrintedPage[]): string[][] {
  return pages.map((page) =>
    page.runs.filter((each) => /^Chair \d+$/.test(each.text)).map((each) => each.text),
  );
}

t.test("up to five products stand side by side, their properties in common rows", async (t) => {
  const session = await reporter.open(
    project([
      chair(1, { Cover: "wool", Base: "steel", Castors: "hard" }),
      chair(2, { Cover: "wool", Arms: "4D", Castors: "soft" }),
      chair(3, { Cover: "wool", Base: "oak" }),
      chair(4, { Cover: "wool" }, { seriesId: "" }),
      chair(5, { Cover: "wool" }),
    ]),
  );
  const { pages } = await printed(session);
  const [page] = pages;
  t.equal(pages.length, 1);
  t.same(rounded(page, "width", "height"), [297, 210]);
  if (page === undefined) return;
  t.ok(page.text.includes("Product comparison Quay House"));
  t.same(heads(pages), [["Chair 1", "Chair 2", "Chair 3", "Chair 4", "Chair 5"]]);
  t.same(row(page, "Cover"), ["wool", "wool", "wool", "wool", "wool"]);
  t.same(row(page, "Base"), ["steel", "–", "oak", "–", "–"]);
  t.same(row(page, "Arms"), ["–", "4D", "–", "–", "–"]);
  t.same(row(page, "Castors"), ["hard", "soft", "–", "–", "–"]);
  t.same(row(page, "Series"), ["Fjell", "Fjell", "Fjell", "–", "Fjell"]);
  t.same(row(page, "Article no."), ["No. 1", "No. 2", "No. 3", "No. 4", "No. 5"]);
  t.same(row(page, "Unit price GBP (excl. VAT)"), Array(5).fill("100.00"));
  const order = ["Cover", "Arms", "Base", "Castors"].map((label) => run(page, label).baseline);
  t.same(
    order,
    [...order].sort((one, other) => one - other),
    "rows in the order of the products",
  );
});

t.test("rows with differences have a sign, not only a look", async (t) => {
  const session = await reporter.open(
    project([chair(1, { Cover: "wool", Base: "steel" }), chair(2, { Cover: "wool", Base: "oak" })]),
  );
  const marks = async (options: Record<string, unknown>) => {
    const [page] = (await printed(session, options)).pages;
    return (
      page &&
      ["Article no.", "Manufacturer", "Cover", "Base", "Unit price GBP (excl. VAT)"].map((label) =>
        isMarked(page, label),
      )
    );
  };
  t.same(await marks({}), [false, false, false, true, false]);
  t.same(await marks({ markDifferences: false }), [false, false, false, false, false]);
  const alone = await printed(session, { onlyDifferences: true });
  t.ok(alone.text.includes("Base"));
  t.ok(alone.text.includes("Article no."), "what says which product it is stays");
  t.notMatch(alone.text, /Cover|Manufacturer|Unit price/);
  const alike = await reporter.open(project([chair(1, { Cover: "wool" }), chair(2, { Cover: "wool" })]));
  t.ok((await printed(alike, { onlyDifferences: true })).text.includes("No differences"));
});

t.test("each option changes what it is for", async (t) => {
  const packaging = {
    width: { value: "600", unit: "MMT" },
    height: { value: "1100", unit: "MMT" },
    depth: { value: "650", unit: "MMT" },
    netWeight: { value: "17.2", unit: "KGM" },
  };
  const full = fullProject();
  const session = await reporter.open({
    ...full,
    items: [...full.items, chair(9, { Colour: "red" }, { packaging })],
  });
  const usual = await printed(session);
  const cases: OptionEffect[] = [
    ["subject", "New chairs", { won: ["New chairs"] }],
    ["showArticleNumber", false, { lost: ["No. 1"] }],
    ["showManufacturer", false, { lost: ["Nordholm"] }],
    ["showSeries", false, { lost: ["Fjell"] }],
    ["showFeatures", false, { lost: ["slate blue"] }],
    ["showLongText", false, { lost: ["End of 1", "Seat raised by 40 mm", "Delivered assembled"] }],
    ["showDimensions", false, { lost: ["600 × 1,100 × 650 mm", "17.2 kg"] }],
    ["showPrices", false, { lost: ["Unit price", "GBP"] }],
    ["showQuantity", true, { won: ["4 pcs"] }],
    ["showPosition", true, { won: ["1.1"] }],
    ["showAlternatives", false, { lost: ["Chair 2", "Chair 3", "Optional"] }],
    ["wbk_set_subitems", "Show", { lost: ["Double workplace"], won: ["Products 1 to 4 of 7"] }],
  ];
  await checkOptionEffects(t, usual.text, cases, (options) => printed(session, options));
  const images = async (pictureSize: string) =>
    (await printed(session, { pictureSize })).pages.reduce((sum, page) => sum + page.images, 0);
  t.same(await Promise.all(["none", "small", "large"].map(images)), [0, 1, 1]);
  const [upright] = (await printed(session, { orientation: "portrait", paper: "Letter" })).pages;
  t.same(rounded(upright, "width", "height"), [216, 279]);
});

t.test("products are spread evenly over as few tables as there can be", async (t) => {
  const cases: [number, number, number[]][] = [
    [1, 5, [1]],
    [5, 5, [5]],
    [6, 5, [3, 3]],
    [13, 5, [5, 4, 4]],
    [7, 3, [3, 2, 2]],
    [3, 2, [2, 1]],
  ];
  for (const [count, productsPerPage, expected] of cases) {
    const { pages, text } = await printed(await reporter.open(project(chairs(count))), { productsPerPage });
    t.same(
      heads(pages).map((each) => each.length),
      expected,
      `${count} by ${productsPerPage}`,
    );
    t.same(
      heads(pages).flat(),
      chairs(count).map((_, index) => `Chair ${index + 1}`),
    );
    t.equal(text.includes(` of ${count}`), expected.length > 1, "a range only where there are several");
    const lefts = pages.flatMap((page) =>
      heads([page])
        .flat()
        .map((head) => Math.round(run(page, head).left)),
    );
    t.equal(new Set(lefts).size, Math.max(...expected), "columns at the same place on all pages");
  }
});

t.test("identical products appear once, with their quantities added up", async (t) => {
  const same = (number: number, value: string): Item => ({
    ...chair(1, { Colour: "red" }),
    id: id(number),
    quantity: { value, unit: "C62" },
  });
  const other = { ...same(13, "1"), baseArticleNumber: "No. 2" };
  const chair2 = chair(2, {}, { quantity: { value: "1", unit: "R&D" } });
  const session = await reporter.open(project([same(11, "2"), chair2, same(12, "3"), other]));
  const { pages } = await printed(session, { showQuantity: true, showPosition: true });
  const [page] = pages;
  t.same(heads(pages), [["Chair 1", "Chair 2", "Chair 1"]]);
  t.same(page && row(page, "Quantity"), ["5 pcs", "1 R&D", "1 pcs"]);
  t.same(page && row(page, "Pos."), ["1, 3", "2", "4"]);
  const [unnumbered] = (await printed(session, { showQuantity: true, showArticleNumber: false })).pages;
  t.same(unnumbered && row(unnumbered, "Quantity"), ["6 pcs", "1 R&D"], "what looks the same is the same");
});

t.test("what is compared with what is an option", async (t) => {
  const alternative = { inactive: [{ kind: "alternative" as const }] };
  const folder = (number: number, name: string, children: Item[]): Item => ({
    type: "folder",
    id: id(number),
    name: text(name),
    children,
  });
  const session = await reporter.open(
    project(
      [
        folder(80, "Ground floor", [
          chair(1, {}),
          chair(2, {}, alternative),
          chair(3, {}, { ...alternative, seriesId: "VI" }),
        ]),
        folder(81, "Attic", [chair(4, {}, { seriesId: "VI" })]),
        chair(5, {}),
        chair(6, {}, alternative),
      ],
      {
        manufacturers: { NOR: { name: text("Nordholm"), series: { FJ: text("Fjell"), VI: text("Vidde") } } },
      },
    ),
  );
  const cases: [string, string[][], string[]][] = [
    [
      "all",
      [
        ["Chair 1", "Chair 2", "Chair 3"],
        ["Chair 4", "Chair 5", "Chair 6"],
      ],
      ["Products 1 to 3 of 6", "Products 4 to 6 of 6"],
    ],
    [
      "folder",
      [
        ["Chair 1", "Chair 2", "Chair 3"],
        ["Chair 5", "Chair 6"],
      ],
      ["Ground floor", "Other articles", "Without a counterpart: Chair 4"],
    ],
    [
      "series",
      [
        ["Chair 1", "Chair 2", "Chair 5", "Chair 6"],
        ["Chair 3", "Chair 4"],
      ],
      ["Nordholm · Fjell", "Nordholm · Vidde"],
    ],
    [
      "alternatives",
      [
        ["Chair 1", "Chair 2", "Chair 3"],
        ["Chair 5", "Chair 6"],
      ],
      ["Alternatives to position 1.1", "Alternatives to position 3"],
    ],
  ];
  for (const [compare, expected, titles] of cases) {
    const { pages, text } = await printed(session, { compare });
    const tables = pages.flatMap((page) => {
      const lines = new Map<number, string[]>();
      for (const each of page.runs.filter(({ text }) => /^Chair \d$/.test(text)))
        lines.set(each.baseline, [...(lines.get(each.baseline) ?? []), each.text]);
      return [...lines.values()];
    });
    t.same(tables, expected, compare);
    for (const title of titles) t.ok(text.includes(title), `${compare}: ${title}`);
  }
  const none = await reporter.open(project([chair(1, {}), chair(2, {})]));
  t.ok((await printed(none, { compare: "alternatives" })).text.includes("There is nothing to compare"));
});

t.test("a comparison longer than a page has its heads on each page, and nothing is lost", async (t) => {
  const features = Object.fromEntries(
    Array.from({ length: 80 }, (_, index) => [`Feature ${index + 1}`, `value ${index + 1}`]),
  );
  const { pages } = await printed(
    await reporter.open(project([chair(1, features), chair(2, { Colour: "red" })])),
  );
  t.ok(pages.length > 2 && pages.length < 6, `${pages.length} pages`);
  t.same(
    heads(pages),
    pages.map(() => ["Chair 1", "Chair 2"]),
  );
  const seen = pages.flatMap((page) =>
    [...page.text.matchAll(/Feature (\d+)/g)].map((match) => Number(match[1])),
  );
  t.same(
    seen,
    Object.keys(features).map((_, index) => index + 1),
  );
});

t.test("300 products, long words and empty fields stay within their columns", async (t) => {
  const word = "Verstellmechanismusabdeckungsblende".repeat(3);
  const picture = { mediaType: "image/png", base64: onePixel, width: 1, height: 1 };
  const odd = [
    chair(901, { [word]: word }),
    article(902, {
      productDescription: {},
      baseArticleNumber: "",
      manufacturerId: "",
      seriesId: "",
      productPrices: [],
    }),
    article(903, {
      productDescription: { shortText: text(word) },
      images: [{ tag: "default", asset: "picture" }],
    }),
  ];
  const session = await reporter.open(project([...chairs(300), ...odd], { assets: { picture } }));
  const { pages } = await printed(session);
  t.same(
    heads(pages).flat().slice(0, 300),
    chairs(300).map((_, index) => `Chair ${index + 1}`),
  );
  t.ok(pages.length >= 61 && pages.length < 70, `${pages.length} pages`);
  t.ok(pages.every((page) => page.runs.every((each) => each.right <= 277.5 && each.baseline < 205)));
  t.equal(runOf(pages, "colour 300").text, "colour 300");
});

t.test("every language has its words", async (t) => {
  const cases: [string, string[]][] = [
    ["en_GB", ["Product comparison", "Property", "Different", "Products 1 to 3 of 5"]],
    ["de_DE", ["Produktvergleich", "Eigenschaft", "Verschieden", "Produkte 1 bis 3 von 5"]],
    ["fr_FR", ["Comparatif de produits", "Caractéristique", "Différent", "Produits 1 à 3 sur 5"]],
    ["nl_NL", ["Productvergelijking", "Eigenschap", "Verschillend", "Producten 1 tot 3 van 5"]],
    ["pl_PL", ["Porównanie produktów", "Właściwość", "Różne", "Produkty od 1 do 3 z 5"]],
    ["es_ES", ["Comparativa de productos", "Característica", "Diferente", "Productos 1 a 3 de 5"]],
  ];
  for (const [locale, words] of cases) {
    const { text } = await printed(await reporter.open(fullProject(), locale), { productsPerPage: 3 });
    for (const word of words) t.ok(text.includes(word), `${locale}: ${word}`);
  }
});
