/** The words of the workbench in all languages, each part tested by itself: English has what the others must have. */
import t from "tap";
import { languageNames, languageOf, languages, pluralForms } from "../../host/web/parts/languages.js";
import * as partsCzech from "../../host/web/parts/words/czech.js";
import * as partsDanish from "../../host/web/parts/words/danish.js";
import * as partsDutch from "../../host/web/parts/words/dutch.js";
import * as partsEnglish from "../../host/web/parts/words/english.js";
import * as partsFrench from "../../host/web/parts/words/french.js";
import * as partsGerman from "../../host/web/parts/words/german.js";
import * as partsItalian from "../../host/web/parts/words/italian.js";
import * as partsPolish from "../../host/web/parts/words/polish.js";
import * as partsSpanish from "../../host/web/parts/words/spanish.js";
import * as partsSwedish from "../../host/web/parts/words/swedish.js";
import { exportKinds } from "../../host/web/workbench/export/export-kinds.js";
import * as czech from "../../host/web/workbench/words/czech.js";
import * as danish from "../../host/web/workbench/words/danish.js";
import * as dutch from "../../host/web/workbench/words/dutch.js";
import * as english from "../../host/web/workbench/words/english.js";
import * as french from "../../host/web/workbench/words/french.js";
import * as german from "../../host/web/workbench/words/german.js";
import * as italian from "../../host/web/workbench/words/italian.js";
import * as polish from "../../host/web/workbench/words/polish.js";
import * as spanish from "../../host/web/workbench/words/spanish.js";
import * as swedish from "../../host/web/workbench/words/swedish.js";

const others = {
  cs: { parts: partsCzech.words, workbench: czech.words },
  da: { parts: partsDanish.words, workbench: danish.words },
  de: { parts: partsGerman.words, workbench: german.words },
  es: { parts: partsSpanish.words, workbench: spanish.words },
  fr: { parts: partsFrench.words, workbench: french.words },
  it: { parts: partsItalian.words, workbench: italian.words },
  nl: { parts: partsDutch.words, workbench: dutch.words },
  pl: { parts: partsPolish.words, workbench: polish.words },
  sv: { parts: partsSwedish.words, workbench: swedish.words },
};

const model = said({ parts: partsEnglish.words, workbench: english.words });

/** What a language writes like English: names of formats, and words that it shares with English. */
const shared = new Set([
  ...["PDF", "Order-X", "Comfort", "Extended", "Document (OEX)", "Configurations (OBX)", "Archive (ZIP)"],
  ...[
    "Pos.",
    "Link",
    "Total",
    "Alternative",
    "document",
    "archive",
    "⟨1⟩ articles",
    "Articles, net",
    "Article",
  ],
  ...["Taxes", "Stop", "Source", "Sets", "Project", "Page ⟨1⟩", "Options", "Optional", "Net", "Document"],
  ...["Description", "Date", "Configuration", "Data"],
]);

for (const [language, words] of Object.entries(others)) {
  t.test(`${language} says everything, with what is given, and no English`, async (t) => {
    const texts = said(words);
    t.strictSame([...texts.keys()], [...model.keys()]);
    const faults = [...texts].flatMap(([place, text]) => {
      const usual = model.get(place) ?? "";
      const found = [
        marks(text) === marks(usual) ? "" : "has other placeholders than English",
        text === "" || text.includes("undefined") ? "is empty" : "",
        text === usual && !shared.has(text) ? "is as in English" : "",
      ];
      return found.filter((each) => each !== "").map((each) => `${place} ${each}: ${text}`);
    });
    t.strictSame(faults, []);
  });
}

t.test("each title of a setting is in a form", async (t) => {
  const { titles, workbookTitles, help } = english.words.settings;
  const listed = new Set(Object.values(exportKinds).flatMap(({ groups }) => Object.values(groups).flat()));
  t.strictSame([...listed].sort(), Object.keys(titles).sort());
  for (const name of Object.keys({ ...workbookTitles, ...help })) t.ok(Object.hasOwn(titles, name), name);
});

t.test("numbers have the plural forms that the language has", async (t) => {
  t.strictSame(languages.toSorted(), [...Object.keys(others), "en"].toSorted());
  for (const language of languages) {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    t.strictSame([...pluralForms[language]].sort(), [...pluralCategories].sort(), languageNames[language]);
  }
  const items = (count: number, { project }: typeof polish.words, language: string) =>
    project.items(String(count), new Intl.PluralRules(language).select(count));
  t.strictSame(
    [1, 2, 5, 12, 22].map((count) => items(count, polish.words, "pl")),
    ["1 artykuł", "2 artykuły", "5 artykułów", "12 artykułów", "22 artykuły"],
  );
  t.strictSame(
    [1, 2, 5].map((count) => items(count, czech.words, "cs")),
    ["1 položka", "2 položky", "5 položek"],
  );
  t.strictSame(
    [0, 1, 2].map((count) => items(count, french.words, "fr")),
    ["0 article", "1 article", "2 articles"],
  );
});

t.test("a region speaks its language; other languages are unknown", async (t) => {
  t.strictSame(["fr-CH", "nl-BE", "PL", "pt-BR", "", "dansk"].map(languageOf), [
    "fr",
    "nl",
    "pl",
    undefined,
    undefined,
    undefined,
  ]);
});

/** All texts by their places; functions are asked with marks for what they are given. */
function said(words: unknown, place = ""): Map<string, string> {
  if (typeof words === "string") return new Map([[place, words]]);
  if (typeof words === "function") {
    const text: unknown = words("⟨1⟩", "⟨2⟩");
    return new Map([[place, [text].flat().join("")]]);
  }
  if (typeof words !== "object" || words === null) throw new Error(`${place} is no word`);
  return new Map(Object.entries(words).flatMap(([name, each]) => [...said(each, `${place}.${name}`)]));
}

function marks(text: string): string {
  return (text.match(/⟨\d⟩/g) ?? []).sort().join();
}
