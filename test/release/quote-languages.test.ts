import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkAccessibility, checkArchive } from "@slipway/sdk/testing";
import t from "tap";
import { runCommand } from "../run-command.js";
import { repository } from "../start-host.js";
import { printedPages } from "../templates/printed-pages.js";
import { startReporter } from "../templates/printed-reports.js";
import { marks, run, runOf } from "../templates/quote-pages.js";
import { fullProject, onePixel } from "../templates/quote-project.js";
import { shippedTemplates } from "../templates/shipped-templates.js";

const folder = await mkdtemp(join(tmpdir(), "slipway-languages-"));
t.teardown(() => rm(folder, { recursive: true }));
const vendor = join(repository, "node_modules", "@expo-google-fonts");
const added = await runCommand(["fonts", "add", "he", "ar", "--from", vendor, "--var", folder]);
if (added.code !== 0) throw new Error(added.errors);
const reporter = await startReporter({ var: folder });
t.teardown(() => reporter.stop());

const words: Record<string, { quote: string[]; order: string[] }> = {
  de_DE: { quote: ["Angebot", "Gültig bis", "nicht im Gesamtpreis enthalten"], order: ["Bestellung Q-0815"] },
  fr_FR: {
    quote: ["Devis", "Adresse de livraison", "non compris dans le total", "Total TTC"],
    order: ["Commande Q-0815", "Désignation"],
  },
  nl_NL: {
    quote: ["Offerte", "Geldig tot", "Totaal incl. btw"],
    order: ["Bestelling Q-0815", "Omschrijving"],
  },
  pl_PL: { quote: ["Oferta", "Ważna do", "Razem brutto"], order: ["Zamówienie Q-0815", "Wartość"] },
  es_ES: { quote: ["Presupuesto", "Válido hasta", "Precio unit."], order: ["Pedido Q-0815", "Importe"] },
};

for (const [locale, { quote, order }] of Object.entries(words)) {
  t.test(`a session of ${locale} gets reports in its language`, async (t) => {
    const session = await reporter.open(fullProject(), locale);
    for (const [template, expected] of Object.entries({ quote, order })) {
      const text = (await reporter.print(session, {}, template)).map((page) => page.text).join(" ");
      for (const each of expected) t.ok(text.includes(each), `${template}: ${each}`);
      t.notMatch(text, /Quote|Order|Delivery|Unit price|Sub total|Net total|\b[a-z]+[A-Z][a-z]+\b/);
    }
  });
}

t.test(
  "a language that runs from right to left mirrors the pages, but neither numbers nor the letter",
  async (t) => {
    const session = await reporter.open(fullProject(), "he_IL");
    const logo = { logoUrl: `data:image/png;base64,${onePixel}`, logoViewOption: "allPages" };
    const pages = await reporter.print(session, { templateOptions: logo });
    const [first] = pages;
    if (first === undefined) return t.fail("no page");
    const right = (text: string) => Math.round(runOf(pages, text).right);
    t.equal(right("הצעת"), 190, "the title begins at the right");
    t.equal(right("Third floor"), 165, "behind the position number");
    t.equal(right("(100.00)"), 70, "digits keep to the right of their column");
    t.equal(Math.round(run(first, `1/${pages.length}`).left), 20, "page number at the end of the line");
    const recipient = run(first, "Brightwater Studios Ltd");
    t.ok(recipient.left > 20 && recipient.right <= 105.5, "the window of the envelope stays");
    t.same(
      marks(first).map((mark) => Math.round(mark * 2) / 2),
      [105, 148.5, 210],
      "so do the marks for folding",
    );
  },
);

t.test("quote and order are accessible", async (t) => {
  for (const [locale, template] of [
    ["en_GB", "quote"],
    ["fr_FR", "order"],
  ] as const) {
    const session = await reporter.open(fullProject(), locale);
    t.same(checkAccessibility(await reporter.file(session, {}, template)), [], template);
  }
});

for (const locale of ["he_IL", "ar_SA"])
  t.test(`${locale}: each template has its words, is accessible and fit for archives`, async (t) => {
    const session = await reporter.open(fullProject(), locale);
    for (const template of await shippedTemplates()) {
      const content = await reporter.file(session, {}, template);
      const pages = await printedPages(content);
      t.strictSame([checkAccessibility(content), checkArchive(content)], [[], []], template);
      const own = locale === "he_IL" ? /\p{Script=Hebrew}/u : /\p{Script=Arabic}/u;
      t.ok(
        pages.every(({ text }) => own.test(text)),
        template,
      );
      t.notMatch(pages.map(({ text }) => text).join(" "), /\b[a-z]+[A-Z][a-z]+\b/, "no key without its word");
    }
  });
