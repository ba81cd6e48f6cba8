/** Projects that break careless plugins. Projects that are more than a person would enter. */
import type { ProjectDocument } from "../../project/document.js";
import { pngPicture } from "./png-picture.js";
import type { ItemDescription } from "./project-description.js";
import { projectOf } from "./project-of.js";

/**
 * Texts that break output when they are not escaped: markup, the end of a CDATA section, spreadsheet
 * formulas, line breaks and separators of CSV, characters forbidden in XML, an unpaired surrogate,
 * bidirectional text, multi-code-point characters, a word of 4,000 characters, only blanks, and paths and
 * links as names. Tests can search a plugin's output for the texts in `hostileText`. Articles cost EUR 1.00.
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
 * Texts that are invalid in their format: each article has a valid German text after a malformed English one
 * (`xml`, `iml`, `json`). Plugins that use `chooseText` report each one and print the German text.
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

/** Articles of one folder. */
const folderSize = 50;

/**
 * So many articles in folders of fifty, numbered "A-1", "A-2" and so on, each with a text and a feature, every tenth with a
 * discount of 10 %. They cost EUR 1.00, 2.00 and so on to 100.00, then 1.00 again. With `pictures`, so many different
 * ones go around among them.
 */
export function manyArticles(count: number, options: { pictures?: number } = {}): ProjectDocument {
  const pictures = Array.from({ length: options.pictures ?? 0 }, (_, index) =>
    pngPicture({ colour: index.toString(16).padStart(6, "0") }),
  );
  const articles = Array.from({ length: count }, (_, index): ItemDescription => {
    const picture = pictures[index % Math.max(pictures.length, 1)];
    return {
      ...{ article: `A-${index + 1}`, text: `Article ${index + 1}`, features: { Colour: "black" } },
      sales: `${(index % 100) + 1}.00`,
      ...(index % 10 === 9 ? { discount: "10" } : {}),
      ...(picture === undefined ? {} : { picture }),
    };
  });
  const folders = Array.from({ length: Math.ceil(count / folderSize) }, (_, index): ItemDescription => {
    const items = articles.slice(index * folderSize, (index + 1) * folderSize);
    return { folder: `Folder ${index + 1}`, items };
  });
  return projectOf({ name: `${count} articles`, items: folders });
}

/** One article of EUR 1.00 in so many folders, one inside of the other. Hosts take 97 folders and refuse a project with more. */
export function deepFolders(depth: number): ProjectDocument {
  let items: ItemDescription[] = [{ article: "DEEP", text: "At the bottom", sales: "1.00" }];
  for (let level = depth; level > 0; level--) items = [{ folder: `Level ${level}`, items }];
  return projectOf({ name: `${depth} folders`, items });
}
