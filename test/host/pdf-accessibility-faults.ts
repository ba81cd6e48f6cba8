/** What the checks have to find: mistakes of authors, and edits of a document that conforms. */
import { PDFDict } from "@cantoo/pdf-lib";
import type { PdfEdit } from "./pdf-accessibility-support.js";
import { page } from "./pdf-support.js";

const picture = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const h1 = "<h1>Title</h1>";

/** Documents whose tags cannot be repaired, with the rules that they break. */
export const mistakes: [what: string, html: string, rules: string[]][] = [
  ["a picture without a text", page(`${h1}<img src="${picture}">`), ["06-002", "13-004"]],
  ["no heading of the first level", page("<h2>Title</h2>"), ["06-002", "14-002"]],
  ["a level left out", page(`${h1}<h3>Part</h3>`), ["06-002", "14-003"]],
  ["text in a list beside its items", page(`${h1}<ul>Text<li>Item</li></ul>`), ["06-002", "09-005"]],
  [
    "a language that is none",
    page(h1).replace('lang="en"', 'lang="english"'),
    ["06-002", "11-001", "11-006"],
  ],
  ["an element in a language that is none", page(`${h1}<p lang="x?">Text</p>`), ["06-002", "11-001"]],
  [
    "a heading below the sixth level",
    page(`${h1}<div role="heading" aria-level="7">Part</div>`),
    ["06-002", "14-007"],
  ],
  ["no title", page(h1).replace("<title>Test</title>", ""), ["06-002", "06-003"]],
  ["a character without a glyph", page(`${h1}<p>\ue123</p>`), ["06-002", "31-030"]],
  [
    "text that is read later than it is shown",
    page(`${h1}<p style="break-before:page">Two</p><p style="position:absolute;top:50mm">One</p>`),
    ["06-002", "09-001"],
  ],
];

/** Gives the blank a meaning that no text has. */
const noMeaning =
  "2 beginbfrange <0000> <0003> [<0000> <0000> <0000> <0000>] <0004> <ffff> <0004> endbfrange";

type Edit = (edit: PdfEdit) => void;

const drawn = "0 0 9 9 re f";

/** Edits of the rich document, with the rules that it breaks afterwards. */
export const edits: [rules: string[], what: string, edit: Edit][] = [
  // Catalog and metadata
  [["clause 7.1"], "not marked", (e) => e.put(e.catalog, "MarkInfo")],
  [["01-007"], "suspects", (e) => e.put(e.catalog, "MarkInfo", "<< /Marked true /Suspects true >>")],
  [["clause 7.1"], "no Document", (e) => e.put(e.element("Document"), "S", "/Part")],
  [["11-006"], "no language", (e) => e.put(e.catalog, "Lang")],
  [["07-001"], "title not displayed", (e) => e.put(e.catalog, "ViewerPreferences")],
  [["07-002"], "title hidden", (e) => e.put(e.catalog, "ViewerPreferences", "<< /DisplayDocTitle false >>")],
  [["06-001"], "no metadata", (e) => e.put(e.catalog, "Metadata")],
  [["06-002"], "no claim", (e) => e.metadata((xml) => xml.replace(/<pdfuaid:part>.*?<\/pdfuaid:part>/, ""))],
  [["06-002"], "another claim", (e) => e.metadata((xml) => xml.replace(">1</pdfuaid", ">2</pdfuaid"))],
  [["06-003"], "no title", (e) => e.metadata((xml) => xml.replace(/<dc:title>.*?<\/dc:title>/, ""))],
  [["clause 7.19"], "a script", (e) => e.put(e.catalog, "OpenAction", "<< /S /JavaScript /JS (1) >>")],
  [["25-001"], "XFA", (e) => e.put(e.catalog, "AcroForm", "<< /XFA [] /Fields [] >>")],
  [
    ["20-001", "20-003"],
    "layers",
    (e) => e.put(e.catalog, "OCProperties", "<< /OCGs [] /D << /AS [<< >>] >> >>"),
  ],
  // Content
  [["01-005"], "loose drawing", (e) => e.content((content) => `${drawn} ${content}`)],
  [["01-005"], "loose text", (e) => e.content((content) => `${content} BT (a) Tj ET`)],
  [
    ["01-005"],
    "loose picture",
    (e) => e.content((content) => `${content} BI /W 1 /H 1 /BPC 8 /CS /G ID \0 EI`),
  ],
  [
    ["01-003"],
    "artifact in a tag",
    (e) => e.content((c) => c.replace(/<<\/MCID \d+ >>BDC/, "$& /Artifact BMC EMC")),
  ],
  [["01-004"], "tag in an artifact", (e) => e.content((c) => `/Artifact BMC ${c} EMC`)],
  [["clause 7.1"], "no such element", (e) => e.content((c) => `${c} /P <</MCID 999>> BDC ${drawn} EMC`)],
  [["clause 7.1"], "twice", (e) => e.content((c) => `${c} /P <</MCID 2>> BDC ${drawn} EMC`)],
  [
    ["01-005", "clause 7.1"],
    "no such content",
    (e) => e.content((c) => c.replace(/\/\w+ <<\/MCID \d+ >>BDC/, "/X BMC")),
  ],
  [["clause 7.1", "clause 7.18.1"], "no parent tree", (e) => e.put(e.root, "ParentTree")],
  // Types and nesting
  [["02-001"], "no standard type", (e) => e.put(e.element("BlockQuote"), "S", "/Box")],
  [
    ["02-003"],
    "a circle",
    (e) => {
      e.put(e.element("BlockQuote"), "S", "/A");
      e.put(e.root, "RoleMap", "<< /A /B /B /A /Em /Span /Strong /Span /Aside /Div >>");
    },
  ],
  [
    ["02-004"],
    "remapped",
    (e) => e.put(e.root, "RoleMap", "<< /BlockQuote /Div /Em /Span /Strong /Span /Aside /Div >>"),
  ],
  [["09-004"], "a cell outside", (e) => void e.hang("TD", "BlockQuote")],
  [["09-004"], "a paragraph in a row", (e) => void e.hang("P", "TR")],
  [
    ["09-005"],
    "an item outside",
    (e) => void e.hang("LI", "BlockQuote", `/K ${e.add("<< /S /LBody /P null >>")}`),
  ],
  [["09-006"], "contents", (e) => void e.hang("TOCI", "BlockQuote")],
  [["09-007"], "ruby", (e) => void e.hang("RB", "BlockQuote")],
  [["09-008"], "warichu", (e) => void e.hang("WT", "BlockQuote")],
  // Headings, tables, pictures, notes
  [["14-007"], "both kinds of headings", (e) => void e.hang("H", "BlockQuote")],
  [
    ["14-006", "14-007"],
    "two headings",
    (e) => {
      e.hang("H", "BlockQuote");
      e.hang("H", "BlockQuote");
    },
  ],
  [["clause 7.5"], "a cell too many", (e) => void e.hang("TD", "TR")],
  [["15-003"], "no scope", (e) => e.removeAttributes("Scope", "Headers")],
  [
    ["15-003"],
    "no heads",
    (e) => {
      for (const head of e.elements("TH")) e.put(e.document.context.lookup(head, PDFDict), "S", "/TD");
    },
  ],
  [
    ["15-005"],
    "no such head",
    (e) => e.put(e.element("TD"), "A", "<< /O /Table /Headers [(none)] /RowSpan 2 >>"),
  ],
  [["13-004"], "no text", (e) => e.put(e.element("Figure"), "Alt")],
  [
    ["13-001"],
    "a picture in a text",
    (e) => {
      for (const figure of e.elements("Figure")) {
        const picture = e.document.context.lookup(figure, PDFDict);
        e.put(picture, "Alt");
        e.put(picture, "S", "/Span");
      }
    },
  ],
  [["17-002"], "a formula", (e) => void e.hang("Formula", "BlockQuote")],
  [["19-003"], "a note", (e) => void e.hang("Note", "BlockQuote")],
  [
    ["19-004"],
    "notes",
    (e) => {
      e.hang("Note", "BlockQuote", "/ID (n)");
      e.hang("Note", "BlockQuote", "/ID (n)");
    },
  ],
  // Links and other annotations
  [["28-012"], "no description", (e) => e.put(e.link, "Contents")],
  [["28-008"], "no order", (e) => e.put(e.page, "Tabs")],
  [["28-009"], "order of rows", (e) => e.put(e.page, "Tabs", "/R")],
  [["clause 7.18.1"], "no parent", (e) => e.put(e.link, "StructParent")],
  [["28-011"], "not in a link", (e) => e.put(e.element("Link"), "S", "/Span")],
  [["28-013"], "a map", (e) => e.put(e.member(e.link, "A"), "IsMap", "true")],
  [["clause 7.19"], "a program", (e) => e.put(e.link, "A", "<< /S /Launch /F (a) >>")],
  [["28-002", "28-004"], "a remark", (e) => e.annotate("<< /Subtype /Text /Rect [0 0 9 9] >>")],
  [["28-005", "28-010"], "a field", (e) => e.annotate("<< /Subtype /Widget /Rect [0 0 9 9] >>")],
  [["28-007", "28-004"], "a trap", (e) => e.annotate("<< /Subtype /TrapNet /Rect [0 0 9 9] >>")],
  // Fonts and forms
  [
    ["31-009"],
    "fonts outside",
    (e) => {
      for (const font of e.having("FontFile2")) e.put(font, "FontFile2");
    },
  ],
  [
    ["10-001"],
    "no meaning",
    (e) => {
      for (const font of e.having("ToUnicode")) e.put(font, "ToUnicode");
    },
  ],
  [
    ["31-028"],
    "wrong meaning",
    (e) => {
      for (const font of e.having("ToUnicode")) e.put(font, "ToUnicode", e.addStream(noMeaning, "<< >>"));
    },
  ],
  [
    ["30-002", "clause 7.1"],
    "a form twice",
    (e) => e.content((content) => content.replace(/\/X\d+ Do/g, "$& $&")),
  ],
];
