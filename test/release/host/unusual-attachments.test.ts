/**
 * Attachments that are protected, cut off or damaged: what is told of them, and what an independent reader finds. Uses the
 * part itself: through a host, hundreds of damages would take minutes.
 */
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PDFBool, PDFDocument, PDFHexString, PDFName, type SecurityOptions } from "@cantoo/pdf-lib";
import { OPS } from "pdfjs-dist/legacy/build/pdf.mjs";
import sharp from "sharp";
import t from "tap";
import { finish } from "../../../host/pdf/finish/finish.js";
import { printedByChromium } from "../../host/pdf-finisher-support.js";
import { open, pageTexts, varFolder } from "../../host/pdf-support.js";

async function picture(): Promise<Buffer> {
  const raw = { width: 20, height: 20, channels: 3 } as const;
  return sharp(randomBytes(raw.width * raw.height * raw.channels), { raw })
    .png()
    .toBuffer();
}

interface Making {
  security?: SecurityOptions;
  useObjectStreams?: boolean;
}

/** A page for each text, each with a picture. */
async function drawn(
  texts: string[],
  { security, useObjectStreams = false }: Making = {},
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (const text of texts) {
    const page = document.addPage([300, 300]);
    page.drawText(text, { x: 20, y: 200, size: 12 });
    page.drawImage(await document.embedPng(await picture()), { x: 20, y: 20, width: 50, height: 50 });
  }
  if (security !== undefined) document.encrypt(security);
  return document.save({ useObjectStreams });
}

const report = await drawn(["Report"]);

const order = { report, before: [], after: [], pages: 10, tagged: false, archive: undefined };

/** With the report in front. */
const attached = (content: Uint8Array) => finish({ ...order, after: [content] });

/** The text of each page, and how many pictures are painted on it. */
async function seen(content: Uint8Array): Promise<{ text: string; pictures: number }[]> {
  const texts = await pageTexts(content);
  const document = await open(content);
  const pages = await Promise.all(
    texts.map(async (text, index) => {
      const { fnArray } = await (await document.getPage(index + 1)).getOperatorList();
      return { text, pictures: fnArray.filter((each) => each === OPS.paintImageXObject).length };
    }),
  );
  await document.destroy();
  return pages;
}

t.test("what is protected against changes only comes like any other", async (t) => {
  for (const algorithm of ["RC4-40", "RC4-128", "AES-128", "AES-256"] as const) {
    for (const useObjectStreams of [false, true]) {
      const security = { ownerPassword: "owner", algorithm, allowWeakCryptography: true };
      const finished = await attached(await drawn(["One", "Two"], { security, useObjectStreams }));
      t.match(finished, { pages: 3, refused: [], damaged: [] }, algorithm);
      const expected = ["Report", "One", "Two"].map((text) => ({ text, pictures: 1 }));
      t.strictSame(await seen(finished.content), expected, algorithm);
    }
  }
});

t.test("what needs a password is left out for that reason", async (t) => {
  const locked = await drawn(["One"], { security: { userPassword: "secret", ownerPassword: "owner" } });
  t.match((await attached(locked)).refused, [{ index: 0, reason: "it needs a password" }]);
});

interface Filling {
  /** Nobody has drawn the value: viewers are to do it. */
  isUndrawn?: boolean;
}

/** A form of one field "name" with a value. */
async function filled(value: string, { isUndrawn = false }: Filling = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const form = document.getForm();
  const field = form.createTextField("name");
  field.addToPage(document.addPage([300, 300]), { x: 20, y: 200, width: 200, height: 20 });
  if (isUndrawn) {
    field.acroField.dict.set(PDFName.of("V"), PDFHexString.fromText(value));
    for (const widget of field.acroField.getWidgets()) widget.dict.delete(PDFName.of("AP"));
    form.acroForm.dict.set(PDFName.of("NeedAppearances"), PDFBool.True);
  } else field.setText(value);
  return document.save({ useObjectStreams: false, updateFieldAppearances: !isUndrawn });
}

/** The text of what a page shows of its annotations, which are read like pages. */
async function shownFields(content: Uint8Array): Promise<string[]> {
  const document = await open(content);
  const texts = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { fnArray, argsArray } = await (await document.getPage(number)).getOperatorList();
    const glyphs = argsArray.filter((_, index) => fnArray[index] === OPS.showText).flat(2);
    texts.push(glyphs.map((glyph) => Object(glyph).unicode ?? "").join(""));
  }
  await document.destroy();
  return texts;
}

t.test("fields of the same name keep their values", async (t) => {
  const forms = [await filled("Alpha"), await filled("Beta"), await filled("Gamma", { isUndrawn: true })];
  const finished = await finish({ ...order, after: forms });
  t.match(finished, { pages: 4, refused: [], damaged: [], withXfa: [] });
  t.strictSame(await shownFields(finished.content), ["Report", "Alpha", "Beta", "Gamma"]);
});

const protectedFiles = await readdir("test/fixtures/pdfs");

for (const name of protectedFiles.filter((each) => each.endsWith(".pdf"))) {
  t.test(`${name} comes with all that it has`, async (t) => {
    const content = await readFile(join("test/fixtures/pdfs", name));
    const finished = await attached(content);
    t.match(finished, { pages: 3, refused: [], damaged: [] });
    t.strictSame(await shownFields(finished.content), ["Report", "FirstEpsilon", "SecondLayer"]);
    const document = await open(finished.content);
    const [chapter] = (await document.getOutline()) ?? [];
    t.equal(chapter?.title, "Chapter");
    const [{ dest: within }, { url }] = (await (await document.getPage(2)).getAnnotations()).filter(
      ({ subtype }) => subtype === "Link",
    );
    for (const name of [chapter?.dest, within]) {
      const [page] = (await document.getDestination(String(name))) ?? [];
      t.equal(await document.getPageIndex(page), 2);
    }
    t.equal(url, "https://example.com/sheet");
    t.strictSame(await document.getPageLabels(), ["1", "v", "vi"]);
    const layers = [...(await document.getOptionalContentConfig())].map(([, { name, visible }]) => [
      name,
      visible,
    ]);
    t.strictSame(layers, [["Drawing", false]]);
    await document.destroy();
  });
}

t.test("a value that cannot be drawn is told", async (t) => {
  const { damaged } = await attached(await filled("Łódź", { isUndrawn: true }));
  t.strictSame(damaged, [{ index: 0, pages: [1], lost: ["form fields"] }]);
});

t.test("a form of XML is told", async (t) => {
  const document = await PDFDocument.load(await filled("Alpha"), { preserveXFA: true });
  document
    .getForm()
    .acroForm.dict.set(PDFName.of("XFA"), document.context.register(document.context.stream("<xdp:xdp/>")));
  for (const content of [await document.save(), (await document.save()).subarray(0, -40)]) {
    const finished = await attached(content);
    t.match(finished, { pages: 2, withXfa: [0] });
    t.strictSame(await shownFields(finished.content), ["Report", "Alpha"]);
  }
});

t.test("a PDF that is cut off in its trailer comes whole", async (t) => {
  const original = await drawn(["One", "Two"]);
  const trailer = Buffer.from(original).lastIndexOf("trailer");
  for (let length = trailer + 1; length < original.length; length += 7) {
    const { content, damaged } = await attached(original.subarray(0, length));
    t.strictSame(damaged, []);
    t.strictSame(await pageTexts(content), ["Report", "One", "Two"], `the first ${length} bytes`);
  }
});

/** "silent" if a reader sees less of a page than of the original, and nobody says so. */
async function outcomeOf(original: Uint8Array, damaged: Uint8Array): Promise<string> {
  const { content, refused, damaged: told } = await attached(damaged);
  if (refused.length > 0) return refused[0]?.reason ?? "";
  const [damage] = told;
  const whole = await seen(original);
  const found = (await seen(content)).slice(1);
  if (found.length < whole.length && damage?.lost.includes("pages") !== true) return "silent";
  const isTold = found.every(
    ({ text, pictures }, index) =>
      (text === whole[index]?.text && pictures === whole[index].pictures) ||
      damage?.pages.includes(index + 1) === true,
  );
  if (!isTold) return "silent";
  return damage === undefined ? "whole" : "told";
}

const [chromium = report] = await printedByChromium(varFolder(), [
  [1, 2, 3, 4]
    .map((number) => `<h1 style="break-before: page">Page ${number}</h1><p>${"Some text. ".repeat(200)}</p>`)
    .join(`<img src="data:image/png;base64,${(await picture()).toString("base64")}">`),
]);

const originals = {
  "of few objects": await drawn(["One", "Two", "Three"]),
  "of object streams": await drawn(["One", "Two", "Three"], { useObjectStreams: true }),
  "of Chromium": chromium,
  "with a protection": await drawn(["One", "Two"], { security: { ownerPassword: "owner" } }),
};

for (const [what, original] of Object.entries(originals)) {
  t.test(`what is lost where a PDF ${what} is cut off is told`, async (t) => {
    const outcomes = new Set<string>();
    for (let part = 1; part < 14; part++) {
      const cut = original.subarray(0, Math.round((original.length * part) / 14));
      outcomes.add(await outcomeOf(original, cut));
      t.notOk(outcomes.has("silent"), `the first ${cut.length} of ${original.length} bytes`);
    }
    t.ok(outcomes.has("it is damaged") && outcomes.has("told"), [...outcomes].join());
  });
}

for (const [what, original] of Object.entries(originals)) {
  t.test(`what is lost where a stream of a PDF ${what} is overwritten is told`, async (t) => {
    const outcomes = new Set<string>();
    const text = Buffer.from(original).toString("latin1");
    for (const { index } of text.matchAll(/\bstream\r?\n/g)) {
      const middle = Math.round((index + text.indexOf("endstream", index)) / 2);
      const damaged = Uint8Array.from(original).fill(0, middle - 10, middle + 10);
      outcomes.add(await outcomeOf(original, damaged));
      t.notOk(outcomes.has("silent"), `at ${middle} of ${original.length} bytes`);
    }
    t.ok(outcomes.has("told"), [...outcomes].join());
  });
}
