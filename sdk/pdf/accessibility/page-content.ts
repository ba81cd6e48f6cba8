import {
  type ContentOperand,
  contentOperands,
  contentStrings,
  leadingName,
} from "../content/content-operands.js";
import { ContentOperators, operatorCode, startOfInlineData } from "../content/content-operators.js";
import { markedIdentifier } from "../content/marked-content.js";
import type { PdfFile } from "../pdf-file.js";
import { isKind, type PdfDictionary } from "../pdf-object.js";
import { dictionaryEntry, listEntry, nameEntry, numberEntry } from "../pdf-values.js";

/** A marked-content sequence that the structure may refer to. */
export interface MarkedSequence {
  identifier: number;
  /** The object number of the form that contains it; undefined for the page itself. */
  stream: number | undefined;
}

/** One painted part of a page, in painting order. */
export interface Painted {
  what: "text" | "picture" | "drawing";
  /** The sequence or artifact it belongs to; undefined if it belongs to neither. */
  place: MarkedSequence | "artifact" | undefined;
  font: PdfDictionary | undefined;
  strings: Uint8Array[];
}

export interface PageContent {
  painted: Painted[];
  sequences: MarkedSequence[];
  hasArtifactInTag: boolean;
  hasTagInArtifact: boolean;
  /** Object numbers of forms with sequences, and how often the page shows them. */
  forms: Map<number, number>;
  /** Operators that PDF does not define. */
  unknownOperators: Set<string>;
  /** Rendering intents, and colour spaces by name, that operators choose; those of devices also where they set a colour. */
  intents: Set<string>;
  colourSpaces: Set<string>;
  /** Keys and values of pictures within the content. */
  inlinePictures: ContentOperand[][];
  /** How many graphics states are saved at the same time at most. */
  deepestSave: number;
}

type Mark = MarkedSequence | "artifact" | "plain";

const deepestForm = 20;
/** Maximum bytes of content of a page, counting each form as often as it is shown. */
const mostContent = 256 * 1024 ** 2;

/** All further operators of PDF (ISO 32000-1, annex A). */
const otherOperators = (
  "BX EX DP MP BT ET Tc Td TD TL Tm Tr Ts Tw Tz T* " +
  "SC SCN sc scn w J j M d i gs cm m l c v y h re W W* n d0 d1"
).split(" ");

const operatorsByMeaning = [
  ["begin", ["BDC", "BMC"]],
  ["end", ["EMC"]],
  ["save", ["q"]],
  ["restore", ["Q"]],
  ["font", ["Tf"]],
  ["text", ["Tj", "TJ", "'", '"']],
  ["object", ["Do"]],
  ["picture", ["BI"]],
  ["drawing", ["sh", "f", "F", "f*", "B", "B*", "b", "b*", "S", "s"]],
  ["colourSpace", ["cs", "CS"]],
  ["DeviceGray", ["g", "G"]],
  ["DeviceRGB", ["rg", "RG"]],
  ["DeviceCMYK", ["k", "K"]],
  ["intent", ["ri"]],
  ["other", otherOperators],
] as const;
type Meaning = (typeof operatorsByMeaning)[number][0];

/** By operator code, which is faster than by name. */
const meanings = new Map<number, Meaning>();
for (const [meaning, operators] of operatorsByMeaning)
  for (const each of operators) meanings.set(operatorCode(each), meaning);

const marksWithProperties = operatorCode("BDC");

/**
 * Reads the content stream of a page and those of the forms it shows. Throws if a stream is damaged or forms
 * are nested without end.
 */
export function pageContent(file: PdfFile, page: PdfDictionary): PageContent {
  const reading = new PageReading(file);
  reading.read(pageBytes(file, page), dictionaryEntry(file, page, "Resources"), undefined, 0);
  return reading.content;
}

class PageReading {
  readonly content: PageContent = {
    painted: [],
    sequences: [],
    hasArtifactInTag: false,
    hasTagInArtifact: false,
    forms: new Map(),
    unknownOperators: new Set(),
    intents: new Set(),
    colourSpaces: new Set(),
    inlinePictures: [],
    deepestSave: 0,
  };
  private readonly marks: Mark[] = [];
  private left = mostContent;

  constructor(private readonly file: PdfFile) {}

  read(
    bytes: Uint8Array,
    resources: PdfDictionary | undefined,
    stream: number | undefined,
    depth: number,
  ): void {
    this.left -= bytes.length;
    if (depth > deepestForm || this.left < 0)
      throw new Error("A page shows drawings in drawings without end.");
    const operators = new ContentOperators(bytes);
    const fonts: (PdfDictionary | undefined)[] = [];
    const outer = this.marks.length;
    let font: PdfDictionary | undefined;
    while (operators.next()) {
      const meaning = meanings.get(operators.code);
      if (meaning === "other") continue;
      const { operands: from, start } = operators;
      if (meaning === "text") this.text(font, contentStrings(bytes, from, start));
      else if (meaning === "begin") this.begin(operators, resources, stream);
      else if (meaning === "end") this.end(outer);
      else if (meaning === "save") this.save(fonts, font);
      else if (meaning === "restore") font = fonts.pop();
      else if (meaning === "font") font = resourceOf(this.file, resources, "Font", leadingName(bytes, from));
      else if (meaning === "object") this.object(resources, leadingName(bytes, from), depth);
      else if (meaning === "picture" || meaning === "drawing") this.add(meaning, operators);
      else this.choose(meaning, operators);
    }
    this.marks.length = outer;
  }

  private save(fonts: (PdfDictionary | undefined)[], font: PdfDictionary | undefined): void {
    fonts.push(font);
    if (fonts.length > this.content.deepestSave) this.content.deepestSave = fonts.length;
  }

  /** Records rendering intents, colour spaces and unknown operators. */
  private choose(meaning: Meaning | undefined, operators: ContentOperators): void {
    const { unknownOperators, intents, colourSpaces } = this.content;
    const { bytes, operands } = operators;
    if (meaning === undefined) unknownOperators.add(operators.operator);
    else if (meaning === "intent") intents.add(leadingName(bytes, operands) ?? "");
    else colourSpaces.add(meaning === "colourSpace" ? (leadingName(bytes, operands) ?? "") : meaning);
  }

  private begin(
    { bytes, operands, start, code }: ContentOperators,
    resources: PdfDictionary | undefined,
    stream: number | undefined,
  ): void {
    const place = this.place();
    if (leadingName(bytes, operands) === "Artifact") {
      if (typeof place === "object") this.content.hasArtifactInTag = true;
      this.marks.push("artifact");
      return;
    }
    const named = (name: string): number | undefined => {
      const properties = resourceOf(this.file, resources, "Properties", name);
      return properties && numberEntry(this.file, properties, "MCID");
    };
    const identifier =
      code === marksWithProperties ? markedIdentifier(bytes, operands, start, named) : undefined;
    if (identifier === undefined) {
      this.marks.push("plain");
      return;
    }
    if (place === "artifact") this.content.hasTagInArtifact = true;
    const sequence = { identifier, stream };
    this.content.sequences.push(sequence);
    this.marks.push(sequence);
  }

  /** A form cannot end a sequence that started outside. */
  private end(outer: number): void {
    if (this.marks.length > outer) this.marks.pop();
  }

  private text(font: PdfDictionary | undefined, strings: Uint8Array[]): void {
    const place = this.place();
    const last = this.content.painted.at(-1);
    if (last?.what === "text" && last.place === place && last.font === font) last.strings.push(...strings);
    else this.content.painted.push({ what: "text", place, font, strings });
  }

  private add(what: "picture" | "drawing", inline?: ContentOperators): void {
    if (what === "picture" && inline !== undefined) this.content.inlinePictures.push(inlineEntries(inline));
    this.content.painted.push({ what, place: this.place(), font: undefined, strings: [] });
  }

  private object(resources: PdfDictionary | undefined, name: string | undefined, depth: number): void {
    const { file } = this;
    const objects = resources && dictionaryEntry(file, resources, "XObject");
    if (objects === undefined || name === undefined) return;
    const reference = objects.entries.get(name);
    const stream = file.resolve(reference);
    if (!isKind(stream, "stream") || nameEntry(file, stream.dictionary, "Subtype") !== "Form") {
      this.add("picture");
      return;
    }
    const number = isKind(reference, "reference") ? reference.number : undefined;
    const known = this.content.sequences.length;
    const own = dictionaryEntry(file, stream.dictionary, "Resources") ?? resources;
    this.read(file.content(stream), own, number, depth + 1);
    if (number !== undefined && this.content.sequences.length > known)
      this.content.forms.set(number, (this.content.forms.get(number) ?? 0) + 1);
  }

  private place(): Painted["place"] {
    for (let index = this.marks.length - 1; index >= 0; index--) {
      const mark = this.marks[index];
      if (mark !== "plain") return mark;
    }
    return undefined;
  }
}

/** The entries between `BI` and `ID`. */
function inlineEntries({ bytes, start }: ContentOperators): ContentOperand[] {
  const from = start + "BI".length;
  return contentOperands(bytes, from, startOfInlineData(bytes, from) - "ID ".length);
}

function resourceOf(
  file: PdfFile,
  resources: PdfDictionary | undefined,
  category: string,
  name: string | undefined,
): PdfDictionary | undefined {
  const found = resources && dictionaryEntry(file, resources, category);
  return found === undefined || name === undefined ? undefined : dictionaryEntry(file, found, name);
}

function pageBytes(file: PdfFile, page: PdfDictionary): Uint8Array {
  const parts = listEntry(file, page, "Contents").map((part) => file.resolve(part));
  // The parts form one stream; a token cannot continue in the next part, so they are joined with white space.
  return Buffer.concat(
    parts.flatMap((part) => (isKind(part, "stream") ? [file.content(part), Buffer.from("\n")] : [])),
  );
}
