/** What one document sets does not show in the next one that the same page of the browser prints. */
import { PDFDocument, PDFName } from "@cantoo/pdf-lib";
import t from "tap";
import { project, session } from "../../host/sessions-support.js";
import { reportOnly } from "../../host/templates-support.js";
import { type StartedHost, startHost } from "../../start-host.js";
import { pagePictures } from "../../templates/page-pictures.js";

/** Bodies of documents; a template has its way into the head and the root element by style sheets and misplaced tags. */
const documents: Record<string, string> = {
  "colour scheme": '<meta name="color-scheme" content="dark">',
  "colour scheme in capitals": "<META CONTENT='dark' NAME=Color-Scheme>",
  "colour scheme of the style": "<style>:root { color-scheme: dark }</style>",
  "theme colour": '<meta name="theme-color" content="#f00">',
  viewport: '<meta name="viewport" content="width=100, initial-scale=3, user-scalable=no">',
  "viewport of old devices":
    '<meta name="HandheldFriendly" content="true"><meta name="MobileOptimized" content="90">',
  "text scale": '<meta name="text-scale" content="scale">',
  "all that is harmless of meta elements":
    '<meta charset="utf-8" /><meta name="author" content="dark"><meta name="description" content="width=90" />' +
    '<meta name="generator" content="referrer"><meta name="keywords" content="refresh, color-scheme">',
  "referrer policy": '<meta name="referrer" content="unsafe-url">',
  "content security policy":
    "<meta http-equiv=\"Content-Security-Policy\" content=\"style-src 'none'; img-src 'none'\">",
  "default style":
    '<meta http-equiv="default-style" content="other"><style title="other">p { color: red }</style>',
  "content language": '<meta http-equiv="content-language" content="ar">',
  "permission of accept-ch": '<meta http-equiv="accept-ch" content="dpr, width">',
  base: '<base href="http://elsewhere.invalid/" target="_blank">',
  title: "<title>Another title</title>",
  "root element": '<html lang="ar" dir="rtl" style="zoom: 3; background: #000" class="dark">',
  "body element": '<body bgcolor="#000000" text="#ff0000" link="#ff0000" style="zoom: 2">',
  "style of the body element":
    '<body style="color-scheme: dark; background: #000; zoom: 2; direction: rtl; overflow: scroll; writing-mode: vertical-rl">',
  "custom property":
    '<style>@property --size { syntax: "<length>"; inherits: true; initial-value: 40px } p { font-size: var(--size) }</style>',
  font: "<style>@font-face { font-family: 'Noto Sans'; src: local('Noto Sans Black') } p { font-family: 'Noto Sans' }</style>",
  "palette of a font":
    "<style>@font-palette-values --dark { font-family: 'Noto Sans'; override-colors: 0 red }</style>",
  "page rules":
    "<style>@page { size: 300mm 100mm; margin: 40mm; @top-center { content: 'another' } }</style>",
  "named page": "<style>@page wide { size: A3 landscape } p { page: wide }</style>",
  "counter style":
    "<style>@counter-style decimal { system: cyclic; symbols: '*' }</style><ol><li>one</li></ol>",
  counters: "<style>:root { counter-reset: page 40 item 7 } p { counter-increment: item 3 page 5 }</style>",
  layers: "<style>@layer base, later; @layer later { p { color: red !important } }</style>",
  "user select and pointer":
    "<style>* { cursor: wait; user-select: all; caret-color: red; accent-color: red }</style>",
  animation:
    "<style>@keyframes grow { to { font-size: 90px; color: red } } :root, p { animation: grow 1ms forwards }</style>",
  transition: "<style>:root { transition: all 1000s } p { transition: all 1000s; color: red }</style>",
  "scroll animation":
    "<style>@keyframes turn { to { rotate: 90deg } } html { animation: turn linear; animation-timeline: scroll() }</style>",
  "view transition":
    "<style>@view-transition { navigation: auto } :root { view-transition-name: everything }</style>",
  "scrolled to its end":
    "<style>html { scroll-behavior: smooth; scroll-snap-type: y mandatory } div { height: 9000px } b { scroll-snap-align: end }</style><div></div><b>end</b>",
  focus: '<input autofocus value="focused"><textarea autofocus>focused</textarea>',
  dialogs:
    "<dialog open>open</dialog><details open><summary>more</summary>text</details><div popover>over</div>",
  "full screen frame":
    '<iframe srcdoc="<meta name=color-scheme content=dark><p>inside" allowfullscreen></iframe>',
  frameset: "<frameset><frame></frameset>",
  "declared shadow":
    "<p><template shadowrootmode=open><style>:host { color: red }</style><slot></slot></template>shadow</p>",
  "named elements":
    '<form name="body"><input name="children"></form><a id="documentElement" name="fonts">named</a>',
  "preloaded style":
    '<link rel="preload" as="style" href="/templates/none.css"><link rel="stylesheet" href="data:text/css,p{color:red}">',
  "alternate style": '<link rel="alternate stylesheet" title="other" href="data:text/css,p{color:red}">',
  "imported style": "<style>@import url('data:text/css,p{color:red}') print;</style>",
  manifest:
    '<link rel="manifest" href="/manifest.json"><link rel="icon" href="data:,"><link rel="preconnect" href="//elsewhere.invalid">',
  "speculation rules":
    '<script type="speculationrules">{"prerender":[{"source":"list","urls":["/next"]}]}</script>',
  "import map": '<script type="importmap">{"imports":{"a":"/a.js"}}</script>',
  storage: "<script>localStorage.a = 1; document.cookie = 'a=1'; history.pushState(1, '', '/a')</script>",
  "quirks mode": '</body></html><!doctype html public "-//W3C//DTD HTML 3.2//EN">',
  "never closed": "<table><tr><td><select><option><svg><title>",
  "never ending comment": "<p>text</p><!-- and then nothing",
  "plain text": "<plaintext>and all that follows",
  "wide and long":
    "<div style='width: 9000px; height: 9000px; transform: scale(3); will-change: transform'>large</div>",
  "fixed over all": "<div style='position: fixed; inset: 0; background: #000; z-index: 99'></div>",
  "print colours":
    "<style>:root { print-color-adjust: economy; forced-color-adjust: none; filter: invert(1) }</style>",
  "writing mode": "<style>:root { writing-mode: vertical-rl; direction: rtl }</style>",
  "svg with style":
    "<svg xmlns='http://www.w3.org/2000/svg'><style>p { color: red }</style><defs><filter id='a'/></defs></svg>",
};

const names = Object.keys(documents);
const reference =
  "<h1>Reference</h1><p>Text of a <a href='#end'>paragraph</a></p><ol><li>one<li>two</ol><table border><tr><th>head<td>cell</table>" +
  "<input value='field'><button>button</button><select><option>choice</select><p id='end'>end</p>";
let host: StartedHost;
let sessionId: string;

t.before(async () => {
  const folders = names.map((name, index) => [
    `trace-${index}`,
    reportOnly(`trace-${index}`, documents[name] ?? ""),
  ]);
  const folder = t.testdir({
    ...Object.fromEntries(folders),
    reference: reportOnly("reference", reference),
    tagged: reportOnly("tagged", reference, { accessibility: true }),
  });
  host = await startHost({ templates: [folder], configuration: { pdf: { pages: 1 } } });
  const opened = await fetch(`${host.url}/api/sessions`, { method: "POST", body: JSON.stringify(project()) });
  sessionId = (await session(opened)).sessionId;
});
t.teardown(() => host?.stop());

async function printed(templateKey: string): Promise<Uint8Array> {
  const answer = await fetch(`${host.url}/EAIWS/plugins/Reporter/template/${templateKey}/generate`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sessionId }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
  const file = await fetch(text);
  return new Uint8Array(await file.arrayBuffer());
}

/** Whether two reports show the same. Only those that differ in more than their dates need to be drawn. */
async function areEqual(one: Uint8Array, other: Uint8Array): Promise<boolean> {
  const [first, second] = await Promise.all([undated(one), undated(other)]);
  if (first.equals(second)) return true;
  const [pages, others] = await Promise.all([pagePictures(one, 842), pagePictures(other, 842)]);
  return pages.length === others.length && pages.every((picture, at) => others[at]?.equals(picture));
}

async function undated(pdf: Uint8Array): Promise<Buffer> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false });
  document.setCreationDate(new Date(0));
  document.setModificationDate(new Date(0));
  document.catalog.delete(PDFName.of("Metadata"));
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

for (const key of ["reference", "tagged"]) {
  t.test(`the ${key} document comes out the same, whatever was printed before it`, async (t) => {
    const expected = await printed(key);
    t.equal((await PDFDocument.load(expected)).getPageCount(), 1);
    t.ok(await areEqual(expected, await printed(key)), "it does so after itself");
    const changed: string[] = [];
    for (const [index, name] of names.entries()) {
      // Some of them are refused.
      await printed(`trace-${index}`).catch(() => undefined);
      if (!(await areEqual(expected, await printed(key)))) changed.push(name);
    }
    t.strictSame(changed, []);
  });
}
