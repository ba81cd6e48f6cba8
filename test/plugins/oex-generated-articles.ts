/** Articles of any kind, with any text. Uses the part itself, for the types of what its writer takes. */
import { present } from "@slipway/sdk";
import fc from "fast-check";
import type { OexArticle } from "../../plugins/oex/document/oex-document.js";
import { plainArticle } from "./oex-writing-parts.js";

const part = fc.oneof(
  fc.constantFrom(
    "]]>",
    "&lt;",
    "&amp;",
    "<!--",
    "🪑",
    "\u200f",
    "\u202e",
    "\u0000",
    "\ufffe",
    "\ud83e",
    " ",
  ),
  fc.string({ unit: "binary", maxLength: 5 }),
);
/** Any text without line ends that has something to show, in front or behind. */
export const anyText = fc
  .tuple(fc.array(part, { maxLength: 4 }), fc.array(part, { maxLength: 4 }))
  .map(([before, after]) => `${before.join("")}x${after.join("")}`.replaceAll(/[\t\n\r]/g, " "));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const line = fc.record({ format: fc.constantFrom("\\" as const, "~" as const), text: anyText });
const lines = fc.array(line, { minLength: 1, maxLength: 3 });
const language = fc.constantFrom({ code: "de" }, { code: "en", country: "GB" });
const reference = fc.record({
  type: fc.constantFrom("EDS" as const, "LNK" as const),
  mediaType: fc.constantFrom("image/png", "text/html"),
  value: anyText,
  description: anyText,
});
const feature = fc.record({
  visible: fc.boolean(),
  classId: maybe(anyText),
  optionId: anyText,
  valueId: anyText,
  texts: fc.array(fc.record({ language, option: anyText, value: fc.array(line, { maxLength: 2 }) }), {
    maxLength: 2,
  }),
});
const datum = fc.record({ type: fc.constantFrom("POS" as const, "ITM" as const), value: anyText });
const block = fc.record({ type: fc.constantFrom("ARTS" as const, "ITEM" as const), language, lines });
const members = fc.record({
  pseudo: fc.boolean(),
  clientArticleNumber: maybe(anyText),
  stateCode: maybe(anyText),
  articleNumber: anyText,
  status: fc.constantFrom("O" as const, "M" as const, "C" as const, "S" as const),
  catalogId: maybe(fc.constant("de-2026.1")),
  weights: maybe(fc.constantFrom({ gross: "1.5" }, { net: "2" }, { gross: "3", net: "2" })),
  volume: maybe(fc.constant("0.125")),
  configurations: fc.array(feature, { maxLength: 3 }),
  organisation: fc.uniqueArray(datum, { selector: ({ type }) => type }),
  texts: fc.uniqueArray(block, {
    minLength: 1,
    selector: ({ type, language }) => `${type} ${language.code}`,
  }),
  references: fc.array(reference, { maxLength: 2 }),
});

/** Its texts may be longer than the format allows; number and id are always the same. */
export const generatedArticle: fc.Arbitrary<OexArticle> = members.map((article) => {
  const configurations = article.configurations.map((feature) => present(feature));
  return { ...plainArticle(1), ...present(article), configurations };
});
