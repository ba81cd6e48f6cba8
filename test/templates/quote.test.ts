import t from "tap";
import { checkOptionEffects, type OptionEffect } from "./option-effects.js";
import type { PrintedPage } from "./printed-pages.js";
import { startReporter } from "./printed-reports.js";
import { marks, rounded, run, runOf, totals } from "./quote-pages.js";
import { article, externalColumn, fullProject, onePixel, project } from "./quote-project.js";

const reporter = await startReporter();
t.teardown(() => reporter.stop());

t.test("a quote with one article has the layout of a letter", async (t) => {
  const [page, ...further] = await reporter.print(await reporter.open(project([article(1)])));
  t.equal(further.length, 0);
  if (page === undefined) return;
  t.same(rounded(page, "width", "height"), [210, 297]);
  for (const text of ["Brightwater Studios Ltd", "Quay House", "Q-0815", "No. 1 | Chair 1", "End of 1"]) {
    t.ok(page.text.includes(text), text);
  }
  t.same(rounded(run(page, "Quote"), "size", "left"), [20, 20]);
  t.same(rounded(run(page, "No. 1"), "left", "size"), [45, 8]);
  const line = run(page, "No. 1").baseline;
  const row = page.runs.filter((each) => each.baseline === line);
  t.same(
    row.map((each) => [each.text, Math.round(each.right)]),
    [
      ["1", 22],
      ...["No. 1", "|", "Chair 1"].map((text) => [text, Math.round(run(page, text).right)]),
      ["1", 140],
      ["100.00", 165],
      ["100.00", 190],
    ],
  );
  t.same(rounded(run(page, "1/1"), "right", "baseline", "size"), [190, 278, 7]);
  t.same(
    ["Quantity", "Unit price", "Total price"].map((head) => Math.round(run(page, head).right)),
    [140, 165, 190],
  );
  t.ok(page.text.includes("GBP (excl. VAT)"));
  t.same(totals(page), [
    ["Net total", "GBP 100.00"],
    ["Value Added Tax (20%)", "GBP 20.00"],
    ["Total", "GBP 120.00"],
  ]);
  t.same(
    marks(page).map((mark) => Math.round(mark * 2) / 2),
    [105, 148.5, 210],
    "fold marks and punch mark",
  );
});

t.test("each option changes what it is for", async (t) => {
  const session = await reporter.open(fullProject());
  const print = async (templateOptions: Record<string, unknown>) => {
    const pages = await reporter.print(session, { templateOptions, externalRefColumn: externalColumn });
    return { pages, text: pages.map((page) => page.text).join(" ") };
  };
  const usual = await print({});
  const cases: OptionEffect[] = [
    ["subject", "New chairs", { won: ["New chairs"] }],
    ["showProjectDate", false, { lost: ["Quote date", "10/07/24"] }],
    ["showHeaderText", false, { lost: ["We thank you for your enquiry"] }],
    ["showShippingAddress", false, { lost: ["Delivery address", "Warehouse North"] }],
    ["showBillingAddress", false, { lost: ["Billing address", "Accounts Payable"] }],
    ["showExternalPosition", true, { won: ["External position: EXT-77"] }],
    ["showManufacturer", false, { lost: ["Nordholm"] }],
    ["showSeries", false, { lost: ["Fjell"] }],
    ["showArticleNumber", false, { lost: ["No. 1"] }],
    ["showShortText", false, { lost: ["Chair 1"] }],
    ["showLongText", false, { lost: ["End of 1"] }],
    ["showVariantText", false, { lost: ["slate blue"] }],
    ["showSpecialModelInfo", false, { lost: ["Seat raised by 40 mm"] }],
    ["showAdditionalText", false, { lost: ["Delivered assembled"] }],
    ["wbk_set_subitems", "Hide", { lost: ["No. 6", "No. 7"] }],
    ["showPricingDetails", false, { lost: ["Fabric group 3", "Position net"] }],
    ["showVariantPrices", false, { lost: ["Fabric group 3"] }],
    ["showSubTotals", false, { lost: ["Sub total Third floor"] }],
    ["showHeaderDiscounts", false, { lost: ["Sum of positions", "(-5%)"] }],
    ["showTaxes", false, { lost: ["Value Added Tax", "GBP 820.23"] }],
    ["showFooterText", false, { lost: ["We look forward to your order"] }],
    ["footerText", "Bank 12-34-56", { won: ["Bank 12-34-56"] }],
  ];
  await checkOptionEffects(t, usual.text, cases, (options) => print(options));
  await t.test("sizes of pictures", async (t) => {
    const images = (pages: PrintedPage[]) => pages.reduce((sum, page) => sum + page.images, 0);
    const left = (pages: PrintedPage[]) => Math.round(runOf(pages, "No. 1").left);
    t.same([images(usual.pages), left(usual.pages)], [2, 45]);
    const large = (await print({ articleImageSize: "40" })).pages;
    t.same([images(large), left(large)], [2, 65], "as numeric text");
    const none = (await print({ articleImageSize: -1, extraImageSize: "-1" })).pages;
    t.same([images(none), left(none)], [0, 35]);
  });
  await t.test("prices of set parts", async (t) => {
    const priceOf = (pages: PrintedPage[]) => {
      const part = runOf(pages, "No. 6");
      return pages.flatMap((page) => page.runs).filter((each) => each.baseline === part.baseline).length;
    };
    const without = (await print({ showSetChildPrices: false })).pages;
    t.same([priceOf(usual.pages), priceOf(without)], [7, 5]);
  });
  await t.test("alignment of the footer", async (t) => {
    const edges = async (footerAlign: string) => {
      const footer = runOf(
        (await print({ footerAlign })).pages,
        "Halden Interiors · 4 Foundry Yard · Leeds",
        270,
      );
      return [Math.round(footer.left), Math.round(footer.right)];
    };
    t.equal((await edges("left"))[0], 20);
    t.equal((await edges("right"))[1], 175);
    const [left = 0, right = 0] = await edges("center");
    t.ok(Math.abs(left + right - 210) <= 1, `from ${left} to ${right}`);
  });
  await t.test("letterheads", async (t) => {
    const [american] = (await print({ letterhead: "us_standard" })).pages;
    t.same(rounded(american, "width", "height"), [216, 279]);
    t.same(american && marks(american).map(Math.round), [93, 186]);
    const [plain] = (await print({ letterhead: "none" })).pages;
    t.same(rounded(plain, "width", "height"), [210, 297]);
    t.same(plain && marks(plain), []);
  });
});

t.test("the logo comes from inside only", async (t) => {
  const session = await reporter.open(project(Array.from({ length: 12 }, (_, index) => article(index + 1))));
  const images = async (logoUrl: string, logoViewOption: string) =>
    (await reporter.print(session, { templateOptions: { logoUrl, logoViewOption } })).map(
      (page) => page.images,
    );
  const picture = `data:image/png;base64,${onePixel}`;
  t.same(await images(picture, "firstPage"), [1, 0]);
  t.same(await images(picture, "allPages"), [1, 1]);
  t.same(await images(picture, "none"), [0, 0]);
  t.same(await images("http://127.0.0.1:9/logo.png", "allPages"), [0, 0]);
  t.same(await images("assets/nowhere.png", "firstPage"), [0, 0]);
});

t.test("alternative and optional positions are marked and do not count", async (t) => {
  const pages = await reporter.print(await reporter.open(fullProject()));
  const text = pages.map((page) => page.text).join(" ");
  t.match(text, /Alternative – not included in the total No\. 2 /);
  t.match(text, /Optional – not included in the total No\. 3 /);
  t.equal(text.split("(100.00)").length - 1, 4, "unit and total price of both in brackets");
  t.ok(text.includes("Prices in brackets belong to alternative and optional positions."));
  // 4 x 120.00 less 10 % = 432.00, a reduced one, a set of two: 732.00; less 5 % = 695.40.
  t.ok(text.includes("Sub total Third floor 732.00"));
  const last = pages.at(-1);
  t.same(last && totals(last), [
    ["Sum of positions", "GBP 732.00"],
    ["Percent discount 1 (-5%)", "GBP -36.60"],
    ["Net total", "GBP 695.40"],
    ["Value Added Tax (20%) on GBP 600.40", "GBP 120.08"],
    ["Value Added Tax (5%) on GBP 95.00", "GBP 4.75"],
    ["Total", "GBP 820.23"],
  ]);
});

t.test("a German session gets a German quote", async (t) => {
  const pages = await reporter.print(await reporter.open(fullProject(), "de_DE"));
  const text = pages.map((page) => page.text).join(" ");
  for (const each of ["Angebot", "Gültig bis", "09.08.24", "Lieferadresse", "Beschreibung", "Einzelpreis"]) {
    t.ok(text.includes(each), each);
  }
  t.ok(text.includes("GBP 820,23"));
  t.ok(text.includes("nicht im Gesamtpreis enthalten"));
});

for (const count of [30, 1000]) {
  t.test(`${count} articles flow over the pages`, async (t) => {
    const items = Array.from({ length: count }, (_, index) => article(index + 1));
    const pages = await reporter.print(await reporter.open(project(items)));
    t.ok(pages.length > count / 12 && pages.length < count / 4, `${pages.length} pages`);
    const problems: string[] = [];
    const seen: number[] = [];
    pages.forEach((page, index) => {
      const begun = [...page.text.matchAll(/No\. (\d+) \| Chair/g)].map((match) => Number(match[1]));
      const ended = [...page.text.matchAll(/End of (\d+)/g)].map((match) => Number(match[1]));
      if (begun.join() !== ended.join()) problems.push(`page ${index + 1}: torn ${begun} / ${ended}`);
      if (begun.length === 0) problems.push(`page ${index + 1}: no article`);
      if (!page.text.includes("Description Quantity")) problems.push(`page ${index + 1}: no table head`);
      if (!page.text.includes(`${index + 1}/${pages.length}`)) problems.push(`page ${index + 1}: no number`);
      if (index > 0 && !page.text.startsWith("Quote Q-0815 · Quay House")) {
        problems.push(`page ${index + 1}: no running head`);
      }
      seen.push(...begun);
    });
    t.same(problems, []);
    t.same(
      seen,
      items.map((_, index) => index + 1),
    );
    const last = pages.at(-1);
    t.same(last && totals(last).at(-1), ["Total", `GBP ${count === 30 ? "3,600.00" : "120,000.00"}`]);
  });
}

t.test("the totals stay together and with the last article, wherever the page ends", async (t) => {
  for (let count = 3; count <= 9; count++) {
    const items = Array.from({ length: count }, (_, index) => article(index + 1));
    const last = (await reporter.print(await reporter.open(project(items)))).at(-1);
    t.equal(last && totals(last).length, 3, `${count} articles`);
    t.ok(last?.text.includes(`End of ${count} `), `${count} articles: not alone`);
  }
});

t.test("an article longer than a page breaks, and nothing of it is lost", async (t) => {
  const paragraphs = Array.from(
    { length: 150 },
    (_, index) => `Paragraph ${index + 1} of a very long description.`,
  );
  const long = article(2, {
    productDescription: {
      shortText: [{ lang: "en", value: "Long" }],
      longText: [{ lang: "en", value: paragraphs.join("\n") }],
    },
  });
  const pages = await reporter.print(await reporter.open(project([article(1), long, article(3)])));
  const text = pages.map((page) => page.text).join(" ");
  t.same(
    [...text.matchAll(/Paragraph (\d+) of/g)].map((match) => Number(match[1])),
    paragraphs.map((_, index) => index + 1),
  );
  t.ok(pages[0]?.text.includes("Paragraph 1 of"), "begins where it stands");
  t.ok(pages.slice(0, 3).every((page) => page.text.includes("Description Quantity")));
});

t.test(
  "a first article that leaves no room on the first page begins there; later ones stay in one piece",
  async (t) => {
    const tall = (number: number) =>
      article(number, {
        productDescription: {
          shortText: [{ lang: "en", value: "Tall" }],
          longText: [{ lang: "en", value: `${"A line\n".repeat(40)}End of ${number}` }],
        },
      });
    const pages = await reporter.print(await reporter.open(project([tall(1), tall(2), tall(3)])));
    const ofPage = (pattern: RegExp) =>
      pages.map((page) => [...page.text.matchAll(pattern)].map((match) => match[1]));
    t.same(ofPage(/No\. (\d) \|/g), [["1"], [], ["2"], ["3"]]);
    t.same(ofPage(/End of (\d)/g), [[], ["1"], ["2"], ["3"]]);
  },
);

t.test("page breaks come where the request wants them", async (t) => {
  const session = await reporter.open(project([article(1), article(2), article(3)]));
  const articles = async (...pageBreaks: [string, string][]) => {
    const breaks = pageBreaks.map(([posNo, value]) => ({ posNo, value }));
    const pages = await reporter.print(session, { pageBreaks: breaks });
    return pages.map((page) => [...page.text.matchAll(/End of (\d+)/g)].map((match) => Number(match[1])));
  };
  t.same(await articles(), [[1, 2, 3]]);
  t.same(await articles(["2", "before"]), [[1], [2, 3]]);
  t.same(await articles(["2", "after"]), [[1, 2], [3]]);
  t.same(await articles(["2", "after"], ["3", "before"]), [[1, 2], [3]]);
  t.same(await articles(["1", "before"]), [[], [1, 2, 3]], "the table begins on a new page");
  t.same(await articles(["3", "after"]), [[1, 2, 3], []], "the totals are on a page of their own");
});

t.test("words, numbers and addresses of any length stay inside the text area", async (t) => {
  const word = "Donaudampfschifffahrtsgesellschaftskapitän".repeat(6);
  const base = project([
    article(1, {
      quantity: { value: "123456.75", unit: "MTR" },
      baseArticleNumber: word,
      productDescription: {
        shortText: [{ lang: "en", value: word }],
        longText: [{ lang: "en", value: word }],
      },
      productPrices: [{ side: "sales", base: { value: "123456789.12", currency: "GBP" } }],
    }),
    article(2, { productDescription: {}, manufacturerId: "", seriesId: "", baseArticleNumber: "" }),
  ]);
  const pages = await reporter.print(
    await reporter.open({
      ...base,
      header: { name: word, number: word, headerText: [{ lang: "en", value: word }] },
      addresses: [
        { addressType: "SoldTo", name1: word, street: word },
        { addressType: "Branch", name1: word },
      ],
    }),
  );
  const outside = pages.flatMap((page) =>
    page.runs.filter((each) => each.left < 19.5 || each.right > 190.6).map((each) => each.text),
  );
  t.same(outside, []);
});
