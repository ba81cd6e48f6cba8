import { parseLocale } from "@slipway/sdk";
import t from "tap";
import { faultsOf, largeAmount, phrases, plain, priceOf, totalOf } from "./printed-amounts.js";
import { startReporter } from "./printed-reports.js";

const reporter = await startReporter();
t.teardown(() => reporter.stop());

t.test("a price of twelve digits and its total are on one line", async (t) => {
  const locale = parseLocale("en_GB");
  if (locale === undefined) throw new Error("en_GB is a locale");
  const session = await reporter.open(largeAmount(12));
  t.same([priceOf(12), totalOf(12)], ["123456789012.34", "12193271495198266.27"]);
  for (const template of ["quote", "order", "management-overview"]) {
    const pages = await reporter.print(session, {}, template);
    const texts = pages.flatMap(phrases).map(plain);
    t.same(faultsOf(pages, locale), [], template);
    t.ok(texts.includes("12,193,271,495,198,266.27"), `${template}: the total`);
    if (template === "management-overview") continue;
    t.ok(texts.includes("123,456,789,012.34"), `${template}: the price`);
    t.ok(
      texts.some((text) => /^98,765\.5 m$/.test(text)),
      `${template}: the quantity`,
    );
  }
});
