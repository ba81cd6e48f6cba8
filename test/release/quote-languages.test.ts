import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkAccessibility } from "@slipway/sdk/testing";
import t from "tap";
import { repository } from "../start-host.js";
import { startReporter } from "../templates/printed-reports.js";
import { marks, run, runOf } from "../templates/quote-pages.js";
import { fullProject, onePixel } from "../templates/quote-project.js";

const templates = join(repository, "templates");

/** A folder with a copy of the quote that speaks Hebrew, if only a little, so that its pages run from right to left. */
async function mirroredQuote(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-mirrored-"));
  await cp(join(templates, "_standard"), join(folder, "_standard"), { recursive: true });
  await cp(join(templates, "quote"), join(folder, "mirrored"), { recursive: true });
  const file = join(folder, "mirrored", "template.json");
  const definition: unknown = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify(Object.assign({}, definition, { key: "mirrored", aliases: [] })));
  await writeFile(join(folder, "mirrored", "i18n", "he.json"), JSON.stringify({ title: "Mechir" }));
  return folder;
}

const mirrored = await mirroredQuote();
const reporter = await startReporter({ templates: [templates, mirrored] });
t.teardown(() => reporter.stop());
t.teardown(() => rm(mirrored, { recursive: true }));

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
    const pages = await reporter.print(session, { templateOptions: logo }, "mirrored");
    const [first] = pages;
    if (first === undefined) return t.fail("no page");
    const right = (text: string) => Math.round(runOf(pages, text).right);
    t.equal(right("Mechir"), 190, "the title begins at the right");
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

t.test("quote and order are accessible, in both directions", async (t) => {
  for (const [locale, template] of [
    ["en_GB", "quote"],
    ["fr_FR", "order"],
    ["he_IL", "mirrored"],
  ] as const) {
    const session = await reporter.open(fullProject(), locale);
    t.same(checkAccessibility(await reporter.file(session, {}, template)), [], template);
  }
});
