/** Projects that break careless plugins. */
import type { ProjectDocument } from "../../project/document.js";
import { projectOf } from "./project-of.js";

/**
 * Texts that mean something else where they are not escaped: markup, the end of a CDATA section, formulas of
 * spreadsheets, line ends and separators of CSV, characters that XML forbids, half a character, both directions of
 * writing, characters of several code points, a word of 4,000 characters, nothing but blanks, paths and links in place of
 * names. By `hostileText`, tests look for them in what a plugin has made. Articles cost EUR 1.00.
 */
export function hostileTexts(): ProjectDocument {
  const texts = Object.values(hostileText);
  return projectOf({
    name: hostileText.path,
    number: hostileText.formula,
    header: { customerNumber: hostileText.quotes, personInCharge: hostileText.markup },
    addresses: { SoldTo: { name1: hostileText.markup, street: hostileText.separators } },
    manufacturers: { MF: { name: hostileText.formula, series: { S1: hostileText.link } } },
    items: [
      { folder: hostileText.markup, items: [] },
      { note: hostileText.control, longText: hostileText.directions },
      ...texts.map((text) => ({
        ...{ article: text, text, longText: `${text}\n${text}`, remark: text, sales: "1.00" },
        features: { [text]: { label: text, text, value: text } },
      })),
    ],
  });
}

/** The texts of `hostileTexts()`. */
export const hostileText = {
  markup: `<b onclick="x()">&lt;&amp;</b><script>x()</script>]]><!--`,
  formula: `=HYPERLINK("https://example.com","open")`,
  plus: "+1+1",
  at: "@SUM(A1)",
  separators: 'a;b,c\t"d"\r\ne',
  quotes: `"'\`\\`,
  control: "bell\u0007 null\u0000 escape\u001b",
  halfCharacter: "half \ud83e of one",
  directions: "\u202eright\u202c and \u200fleft\u200e",
  family: "👩‍👩‍👧 e\u0301",
  longWord: "x".repeat(4000),
  blanks: "   ",
  path: "../../etc/passwd\u0000.txt",
  link: "javascript:x()",
} as const;

/**
 * Texts in formats that they do not keep to: each article has a good text in German behind a malformed one in English
 * (`xml`, `iml`, `json`). Plugins that read texts by `chooseText` report each one and print the German text.
 */
export function malformedTexts(): ProjectDocument {
  const formats = ["xml", "iml", "json"] as const;
  return projectOf({
    name: "Malformed texts",
    languages: ["en", "de"],
    items: formats.map((format) => ({
      article: format.toUpperCase(),
      sales: "1.00",
      more: {
        productDescription: {
          shortText: [
            { lang: "en", value: "<open>{", format },
            { lang: "de", value: `Guter Text ${format}` },
          ],
        },
      },
    })),
  });
}
