/** Attachments that are fit for use but made in ways in which Chromium never makes a PDF. */
import { deflateSync } from "node:zlib";
import { handWritten } from "./pdf-finisher-support.js";

const stream = (content: string, entries = ""): string =>
  `<<${entries} /Length ${content.length}>>\nstream\n${content}\nendstream`;

interface Parts {
  content?: string;
  page?: string;
  catalog?: string;
  /** Objects from 6 on; 6 is the topmost element. */
  more?: string[];
}

const paragraph = "<</Type /StructElem /S /P /P 5 0 R /Pg 3 0 R /K 0>>";

/** One tagged page. */
function tagged({ content = stream(""), page = "", catalog = "", more = [paragraph] }: Parts): Uint8Array {
  return handWritten([
    `<</Type /Catalog /Pages 2 0 R /StructTreeRoot 5 0 R ${catalog}>>`,
    "<</Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 300 300]>>",
    `<</Type /Page /Parent 2 0 R /StructParents 0 /Contents 4 0 R ${page}>>`,
    content,
    "<</Type /StructTreeRoot /K 6 0 R /ParentTree <</Nums [0 [6 0 R] 1 6 0 R]>>>>",
    ...more,
  ]);
}

const link =
  "/Annots [<</Type /Annot /Subtype /Link /Rect [0 0 9 9] /StructParent 1 /A <</S /URI /URI (https://example.com/)>>>>]";
/** Elements of which each has the next one twice. */
const doubled = Array.from(
  { length: 40 },
  (_, index) => `<</Type /StructElem /S /Link /P 5 0 R /K [${7 + index} 0 R ${7 + index} 0 R]>>`,
);

/** One page without tags that has these entries. */
function untagged(page: string, more: string[] = []): Uint8Array {
  return handWritten([
    "<</Type /Catalog /Pages 2 0 R>>",
    "<</Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 300 300]>>",
    `<</Type /Page /Parent 2 0 R ${page}>>`,
    ...more,
  ]);
}

const digits = "9".repeat(400);
const many = Array.from({ length: 70_000 }, (_, index) => `${index + 5} 0 R`);

/** What each is, and its bytes. */
export const foreign: Record<string, Uint8Array> = {
  "content with a filter that is seldom": tagged({ content: stream("87cURD]i~>", "/Filter /ASCII85Decode") }),
  "content that is damaged": tagged({ content: stream("no zlib", "/Filter /FlateDecode") }),
  "content of 70 MB": tagged({
    content: stream(
      deflateSync(Buffer.alloc(70 * 1024 ** 2, " ")).toString("latin1"),
      "/Filter /FlateDecode",
    ),
  }),
  "elements that contain each other": tagged({
    page: link,
    more: [
      "<</Type /StructElem /S /Link /P 5 0 R /K [7 0 R]>>",
      "<</Type /StructElem /S /Span /P 6 0 R /K [6 0 R]>>",
    ],
  }),
  "elements that multiply": tagged({
    page: link,
    more: [...doubled, "<</Type /StructElem /S /Span /P 5 0 R>>"],
  }),
  "a type that is the name of something in JavaScript": tagged({
    more: ["<</Type /StructElem /S /constructor /P 5 0 R /Pg 3 0 R /K 0>>"],
  }),
  "numbers without end": untagged(`/UserUnit ${digits} /CropBox [-${digits} -${digits}.5 300 300]`),
  "numbers with too many signs": untagged("/CropBox [--3 +.5 300.-2 -0]"),
  "more tiny objects than one pack holds": untagged("/Tiny 4 0 R", [
    `[${many.join(" ")}]`,
    ...many.map(() => "0"),
  ]),
  "metadata with a filter that is seldom": tagged({
    catalog: "/Metadata 7 0 R",
    more: [paragraph, stream("xx", "/Type /Metadata /Filter /ASCII85Decode")],
  }),
};

const script = (entries: string): string => `<</S /JavaScript /JS (app.alert) ${entries}>>`;
const address = (string: string): string => `/A <</S /URI /URI ${string}>>`;

/** A page with actions that look like something else, and one link that is fit to stay. */
export const disguised = handWritten([
  "<</Type /Catalog /Pages 2 0 R>>",
  "<</Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 300 300]>>",
  `<</Type /Page /Parent 2 0 R /Annots [${[
    `/A ${script("/P 3 0 R")}`,
    `/A ${script("/Type /StructElem")}`,
    `/S /Span /P 3 0 R /A ${script("")}`,
    `/Type /StructElem /S /Span /A ${script("")}`,
    address("(java\\nscript:app.alert)"),
    address("(\\001javascript:app.alert)"),
    address(`<${Buffer.from("\ufeffjavascript:", "utf16le").swap16().toString("hex")}>`),
    address("(\\\\\\\\server\\\\share)"),
    address("(www.example.com)"),
  ]
    .map((entries) => `<</Subtype /Link /Rect [0 0 9 9] ${entries}>>`)
    .join(" ")} <</Subtype 4 0 R /Rect [0 0 9 9] /FS <</F (file) /EF <</F 5 0 R>>>>>>]>>`,
  "/FileAttachment",
  stream("MZ"),
]);
