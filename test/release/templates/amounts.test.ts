import { formatAmount, type Locale, parseLocale } from "@slipway/sdk";
import { checkAccessibility, checkArchive } from "@slipway/sdk/testing";
import t from "tap";
import { startMirroredReporter } from "../../templates/mirrored-reporter.js";
import {
  faultsOf,
  largeAmount,
  largeAmounts,
  phrases,
  plain,
  priceOf,
  totalOf,
} from "../../templates/printed-amounts.js";
import { printedPages } from "../../templates/printed-pages.js";
import { fullProject } from "../../templates/quote-project.js";
import { shippedTemplates } from "../../templates/shipped-templates.js";

const templates = await shippedTemplates();
const reporter = await startMirroredReporter(...templates);
t.teardown(() => reporter.stop());

/** Commas, points, blanks, narrow blanks, apostrophes, lakhs and crores, from right to left. */
const locales = ["en_GB", "de_DE", "fr_FR", "pl_PL", "de_CH", "hi_IN", "ja_JP", "ar_EG"];

function localeOf(text: string): Locale {
  const locale = parseLocale(text);
  if (locale === undefined) throw new Error(`${text} is not a locale`);
  return locale;
}

for (const name of locales) {
  t.test(`${name}: amounts of all sizes are on one line, on the page, beside each other`, async (t) => {
    const locale = localeOf(name);
    for (const digits of [4, 12, 16, 20]) {
      const one = await reporter.open(largeAmount(digits), name);
      const many = await reporter.open(largeAmounts(digits), name);
      for (const template of templates) {
        const pages = await reporter.print(one, {}, template);
        t.same(faultsOf(pages, locale), [], `${template}, ${digits} digits`);
        t.same(
          faultsOf(await reporter.print(many, {}, template), locale),
          [],
          `${template}, all kinds, ${digits}`,
        );
        const sizes = pages.flatMap((page) => page.runs.map((run) => run.size));
        t.ok(
          Math.min(...sizes) > (digits > 16 ? 4.4 : 5),
          `${template}, ${digits} digits: ${Math.min(...sizes)} pt`,
        );
        const texts = pages.flatMap(phrases);
        const shows = (value: string) => {
          const amount = plain(formatAmount(locale, value, "GBP"));
          return texts.some((text) => text === amount || text === `GBP ${amount}`);
        };
        if (["quote", "order", "management-overview"].includes(template))
          t.ok(shows(totalOf(digits)), `${template}, ${digits} digits: the total`);
        if (["quote", "order"].includes(template))
          t.ok(shows(priceOf(digits)), `${template}, ${digits} digits: the price`);
      }
    }
  });
}

t.test("other paper and other options", async (t) => {
  const locale = localeOf("en_GB");
  const session = await reporter.open(largeAmounts(16));
  const cases: [string, Record<string, unknown>][] = [
    ["quote", { letterhead: "us_standard", articleImageSize: 40 }],
    ["order", { showLongText: false }],
    ["product-comparison", { orientation: "portrait", showPrices: true, showQuantity: true }],
    ["product-comparison", { paper: "Letter", showPrices: true }],
    ["management-overview", { paper: "Letter", chartKind: "none", showPurchase: true }],
    [
      "delivery-list",
      { showPackages: true, showPartialDelivery: true, articleImageSize: 40, showAlternatives: true },
    ],
    ["article-overview", { layout: "list", showQuantity: true, showAlternatives: true }],
  ];
  for (const [template, templateOptions] of cases) {
    const pages = await reporter.print(session, { templateOptions }, template);
    t.same(faultsOf(pages, locale), [], `${template} ${JSON.stringify(templateOptions)}`);
  }
});

t.test("mirrored reports conform to PDF/UA-1 and PDF/A-3", async (t) => {
  const session = await reporter.open(fullProject(), "ar_EG");
  for (const template of templates) {
    const file = await reporter.file(session, {}, template);
    t.same(await checkAccessibility(file), [], template);
    t.same(await checkArchive(file), [], template);
    const [page] = await printedPages(file);
    const number = page?.runs.find((run) => run.text === "1/2" || run.text === "1/1");
    t.ok(number && number.left < 25, `${template}: the number of the page is at the left`);
  }
});
