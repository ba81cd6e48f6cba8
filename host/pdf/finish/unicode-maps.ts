/**
 * What the glyphs of a report mean. Skia maps a glyph to one character and writes zero for one that no character has by
 * itself, such as a letter in the middle of an Arabic word; for a character with twins, such as 日, it may name the other one. Around
 * such glyphs it writes the text itself, as `ActualText` (ISO 32000-1, 14.9.4): from there the maps are mended.
 */
import {
  ContentOperators,
  codesOf,
  contentOperands,
  contentStrings,
  isKind,
  isName,
  leadingName,
  type PdfDictionary,
  type PdfFile,
  type PdfStream,
  pagesOf,
  textOf,
  unicodeMap,
} from "@slipway/sdk/runtime/pdf";
import { pageContent } from "./accessibility/page-contents.js";
import { endOfMark, fontChoice, markWithProperties, plainMark, showing } from "./text-operators.js";

/** What no text has, and characters that stand for others: of private use, radicals, forms of letters. */
const doubtful =
  /[\0\ufeff\ufffe\ue000-\uf8ff\u2e80-\u2fdf\uf900-\ufdff\ufe70-\ufefc\u{2f800}-\u{2fa1f}\u{f0000}-\u{10ffff}]/u;
/** What must not be in a map (ISO 14289-1, 7.21.7). */
const forbidden = /[\0\ufeff\ufffe]/;
const rightToLeft = /[\u0590-\u08ff]/;
/** The meaning of a glyph whose text another one has: it leaves no mark and joins what it is between. */
const wordJoiner = "\u2060";

const deepestForm = 20;
const entriesOfBlock = 100;

/** Mends the maps of all fonts of a document in which glyphs have no meaning or a doubtful one. */
export function repairUnicodeMaps(file: PdfFile): void {
  const glyphs = new GlyphTexts(file);
  const pages = pagesOf(file, file.catalog).map(({ dictionary }) => dictionary);
  if (!pages.some((page) => glyphs.hasDoubtful(page))) return;
  for (const page of pages) glyphs.readPage(page);
  glyphs.mend();
}

interface MappedFont {
  map: PdfStream;
  /** Bytes per code. */
  width: 1 | 2;
  characters: Map<number, string>;
  /** Whether the map as it was read has such glyphs; asked for each page that uses the font. */
  isDoubtful: boolean;
  /** Of codes with a doubtful meaning: their texts, and how often each was found. */
  found: Map<number, Map<string, number>>;
}

interface ShownGlyph {
  font: MappedFont;
  code: number;
}

/** A text and the glyphs that show it. */
interface ShownText {
  text: string;
  glyphs: ShownGlyph[];
}

class GlyphTexts {
  private readonly fonts = new Map<PdfDictionary, MappedFont | undefined>();
  private readonly read = new Set<PdfDictionary>();
  private readonly shown: ShownText[] = [];

  constructor(private readonly file: PdfFile) {}

  /** Whether a font of the page or of a form within it has such glyphs. */
  hasDoubtful(owner: PdfDictionary, depth = 0): boolean {
    const resources = this.file.dictionary(owner.entries.get("Resources"));
    const fonts = this.file.dictionary(resources?.entries.get("Font"));
    for (const reference of fonts?.entries.values() ?? []) {
      const font = this.file.dictionary(reference);
      const mapped = font && this.mapped(font);
      if (mapped?.isDoubtful) return true;
    }
    if (depth === deepestForm) return false;
    return this.forms(resources).some(({ dictionary }) => this.hasDoubtful(dictionary, depth + 1));
  }

  readPage(page: PdfDictionary): void {
    this.readContent(pageContent(this.file, page), page, 0);
  }

  mend(): void {
    // A glyph by itself says what it means; others are what is left of a text then.
    for (const only of [true, false]) {
      for (const each of this.shown) this.learn(each, only);
      for (const font of this.fonts.values()) if (font !== undefined) decide(font);
    }
    for (const font of this.fonts.values()) {
      if (font === undefined) continue;
      for (const [code, text] of font.characters)
        if (forbidden.test(text)) font.characters.set(code, wordJoiner);
      rewrite(font);
    }
  }

  private learn({ text, glyphs }: ShownText, only: boolean): void {
    let rest = text;
    const open: ShownGlyph[] = [];
    for (const glyph of glyphs) {
      const own = glyph.font.characters.get(glyph.code) ?? "\0";
      if (doubtful.test(own)) open.push(glyph);
      else rest = rest.replace(own, () => "");
    }
    if (rest === "" || open.length === 0 || (only && open.length > 1)) return;
    const ordered = rightToLeft.test(rest) ? [...open].reverse() : open;
    const letters = Array.from(rest);
    const isPaired = letters.length === ordered.length;
    for (const [index, glyph] of ordered.entries()) {
      const meaning = isPaired ? letters[index] : index === 0 ? rest : undefined;
      if (meaning !== undefined) count(glyph, meaning);
    }
  }

  private readContent(content: Uint8Array, owner: PdfDictionary, depth: number): void {
    if (depth > deepestForm || this.read.has(owner)) return;
    this.read.add(owner);
    const resources = this.file.dictionary(owner.entries.get("Resources"));
    const fonts = this.file.dictionary(resources?.entries.get("Font"));
    const operators = new ContentOperators(content);
    const marks: (ShownText | undefined)[] = [];
    let font: MappedFont | undefined;
    while (operators.next()) {
      const { code, operands: from, start } = operators;
      if (code === fontChoice) {
        const dictionary = this.file.dictionary(fonts?.entries.get(leadingName(content, from) ?? ""));
        font = dictionary && this.mapped(dictionary);
      } else if (code === markWithProperties || code === plainMark) {
        const text = code === markWithProperties ? actualText(content, from, start) : undefined;
        marks.push(text === undefined ? marks.at(-1) : { text, glyphs: [] });
      } else if (code === endOfMark) {
        const ended = marks.pop();
        if (ended !== undefined && ended !== marks.at(-1) && ended.glyphs.length > 0) this.shown.push(ended);
      } else if (showing.has(code) && font !== undefined) {
        const mark = marks.at(-1);
        if (mark === undefined) continue;
        for (const string of contentStrings(content, from, start))
          for (const each of codesOf(string, font.width)) mark.glyphs.push({ font, code: each });
      }
    }
    for (const form of this.forms(resources))
      this.readContent(this.file.content(form), form.dictionary, depth + 1);
  }

  private forms(resources: PdfDictionary | undefined): PdfStream[] {
    const objects = this.file.dictionary(resources?.entries.get("XObject"));
    return [...(objects?.entries.values() ?? [])].flatMap((reference) => {
      const form = this.file.resolve(reference);
      return isKind(form, "stream") && isName(form.dictionary.entries.get("Subtype"), "Form") ? [form] : [];
    });
  }

  private mapped(font: PdfDictionary): MappedFont | undefined {
    if (this.fonts.has(font)) return this.fonts.get(font);
    const map = this.file.resolve(font.entries.get("ToUnicode"));
    const width = isName(font.entries.get("Subtype"), "Type0") ? 2 : 1;
    const mapped = isKind(map, "stream") ? mappedFont(map, width, this.file.content(map)) : undefined;
    this.fonts.set(font, mapped);
    return mapped;
  }
}

function mappedFont(map: PdfStream, width: MappedFont["width"], content: Uint8Array): MappedFont {
  const characters = unicodeMap(content);
  const isDoubtful = [...characters.values()].some((text) => doubtful.test(text));
  return { map, width, characters, isDoubtful, found: new Map() };
}

function count({ font, code }: ShownGlyph, text: string): void {
  const texts = font.found.get(code) ?? new Map<string, number>();
  texts.set(text, (texts.get(text) ?? 0) + 1);
  font.found.set(code, texts);
}

/** A glyph means what it means most often; of several, what it means first. */
function decide({ characters, found }: MappedFont): void {
  for (const [code, texts] of found) {
    const [best] = [...texts].sort(([, one], [, other]) => other - one);
    if (best !== undefined) characters.set(code, best[0]);
  }
  found.clear();
}

function actualText(content: Uint8Array, from: number, start: number): string | undefined {
  const properties = contentOperands(content, from, start)[1];
  const text = properties instanceof Map ? properties.get("ActualText") : undefined;
  if (!(text instanceof Uint8Array)) return undefined;
  return textOf({ kind: "string", bytes: Buffer.from(text).toString("latin1") });
}

/** Rewrites the map (ISO 32000-1, 9.10.3). */
function rewrite({ map, width, characters }: MappedFont): void {
  const code = (number: number): string => `<${number.toString(16).padStart(2 * width, "0")}>`;
  const lines = [
    "/CIDInit /ProcSet findresource begin",
    "12 dict begin",
    "begincmap",
    "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
    "/CMapName /Adobe-Identity-UCS def",
    "/CMapType 2 def",
    "1 begincodespacerange",
    `${code(0)} ${code(width === 2 ? 0xffff : 0xff)}`,
    "endcodespacerange",
  ];
  const entries = [...characters];
  for (let at = 0; at < entries.length; at += entriesOfBlock) {
    const block = entries.slice(at, at + entriesOfBlock);
    lines.push(`${block.length} beginbfchar`);
    for (const [number, text] of block) lines.push(`${code(number)} <${utf16(text)}>`);
    lines.push("endbfchar");
  }
  lines.push("endcmap", "CMapName currentdict /CMap defineresource pop", "end", "end", "");
  map.data = Buffer.from(lines.join("\n"), "latin1");
  for (const key of ["Filter", "DecodeParms"]) map.dictionary.entries.delete(key);
  map.packing = 6;
}

function utf16(text: string): string {
  return Buffer.from(text, "utf16le").swap16().toString("hex");
}
