import { contentStrings, leadingName } from "../content/content-operands.js";
import { ContentOperators, operatorCode } from "../content/content-operators.js";
import { markedIdentifier } from "../content/marked-content.js";
import type { PdfFile } from "../pdf-file.js";
import { isKind, type PdfDictionary } from "../pdf-object.js";
import { dictionaryEntry, listEntry, nameEntry, numberEntry } from "./pdf-values.js";

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
}

type Mark = MarkedSequence | "artifact" | "plain";

const deepestForm = 20;
/** Maximum bytes of content of a page, counting each form as often as it is shown. */
const mostContent = 256 * 1024 ** 2;

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
] as const;
type Meaning = (typeof operatorsByMeaning)[number][0];

/** Most operators mean nothing here, so they are told apart by their codes. */
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
      if (meaning === undefined) continue;
      const { operands: from, start } = operators;
      if (meaning === "text") this.text(font, contentStrings(bytes, from, start));
      else if (meaning === "begin") this.begin(operators, resources, stream);
      else if (meaning === "end") this.end(outer);
      else if (meaning === "save") fonts.push(font);
      else if (meaning === "restore") font = fonts.pop();
      else if (meaning === "font") font = resourceOf(this.file, resources, "Font", leadingName(bytes, from));
      else if (meaning === "object") this.object(resources, leadingName(bytes, from), depth);
      else this.add(meaning);
    }
    this.marks.length = outer;
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

  private add(what: "picture" | "drawing"): void {
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
