import {
  PDFContentStream,
  type PDFDict,
  PDFName,
  type PDFPage,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from "@cantoo/pdf-lib";
import { type ContentOperand, contentOperands, operandName } from "./content-operands.js";
import { ContentOperators } from "./content-operators.js";
import {
  decoded,
  dictionaryEntry,
  dictionaryOf,
  entry,
  listEntry,
  nameEntry,
  numberEntry,
} from "./pdf-values.js";

/** A sequence of marked content that structure may refer to. */
export interface MarkedSequence {
  identifier: number;
  /** The form it stands in; undefined for the page itself. */
  stream: PDFRef | undefined;
}

/** What a page shows, piece by piece in the order of painting. */
export interface Painted {
  what: "text" | "picture" | "drawing";
  /** Where it belongs: undefined is neither to the structure nor to the artifacts. */
  place: MarkedSequence | "artifact" | undefined;
  font: PDFDict | undefined;
  strings: Uint8Array[];
}

export interface PageContent {
  painted: Painted[];
  sequences: MarkedSequence[];
  hasArtifactInTag: boolean;
  hasTagInArtifact: boolean;
  /** The forms that hold sequences, with how often the page shows them. */
  forms: Map<PDFRef, number>;
}

type Mark = MarkedSequence | "artifact" | "plain";

const deepestForm = 20;
/** Bytes of content that a page may show, each form as often as it is shown. */
const mostContent = 256 * 1024 ** 2;
const painting = new Set(["f", "F", "f*", "B", "B*", "b", "b*", "S", "s"]);

/**
 * Reads the content stream of a page and those of the forms that it shows. Throws where a stream is damaged, and for what
 * cannot be looked at in full: forms in forms without end.
 */
export function pageContent(page: PDFPage): PageContent {
  const reading = new PageReading();
  reading.read(pageBytes(page), page.node.Resources(), undefined, 0);
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

  read(bytes: Uint8Array, resources: PDFDict | undefined, stream: PDFRef | undefined, depth: number): void {
    this.left -= bytes.length;
    if (depth > deepestForm || this.left < 0)
      throw new Error("A page shows drawings in drawings without end.");
    const operators = new ContentOperators(bytes);
    const fonts: (PDFDict | undefined)[] = [];
    const outer = this.marks.length;
    let font: PDFDict | undefined;
    while (operators.next()) {
      const { operator } = operators;
      const operands = () => contentOperands(bytes, operators.operands, operators.start);
      if (operator === "BDC" || operator === "BMC") this.begin(operator, operands(), resources, stream);
      else if (operator === "EMC") this.end(outer);
      else if (operator === "q") fonts.push(font);
      else if (operator === "Q") font = fonts.pop();
      else if (operator === "Tf") font = resourceOf(resources, "Font", operandName(operands()[0]));
      else if (operator === "Tj" || operator === "'") this.text(font, operands());
      else if (operator === "TJ") this.text(font, operands().flat(1));
      else if (operator === '"') this.text(font, operands().slice(2));
      else if (operator === "Do") this.object(resources, operandName(operands()[0]), depth);
      else if (operator === "BI") this.add("picture");
      else if (operator === "sh" || painting.has(operator)) this.add("drawing");
    }
    this.marks.length = outer;
  }

  private begin(
    operator: string,
    [tag, properties]: ContentOperand[],
    resources: PDFDict | undefined,
    stream: PDFRef | undefined,
  ): void {
    const place = this.place();
    if (operandName(tag) === "Artifact") {
      if (typeof place === "object") this.content.hasArtifactInTag = true;
      this.marks.push("artifact");
      return;
    }
    const identifier = operator === "BDC" ? identifierOf(properties, resources) : undefined;
    if (identifier === undefined) {
      this.marks.push("plain");
      return;
    }
    if (place === "artifact") this.content.hasTagInArtifact = true;
    const sequence = { identifier, stream };
    this.content.sequences.push(sequence);
    this.marks.push(sequence);
  }

  /** A form cannot end what began outside of it. */
  private end(outer: number): void {
    if (this.marks.length > outer) this.marks.pop();
  }

  private text(font: PDFDict | undefined, operands: ContentOperand[]): void {
    const strings = operands.filter((operand) => operand instanceof Uint8Array);
    const place = this.place();
    const last = this.content.painted.at(-1);
    if (last?.what === "text" && last.place === place && last.font === font) last.strings.push(...strings);
    else this.content.painted.push({ what: "text", place, font, strings });
  }

  private add(what: "picture" | "drawing"): void {
    this.content.painted.push({ what, place: this.place(), font: undefined, strings: [] });
  }

  private object(resources: PDFDict | undefined, name: string | undefined, depth: number): void {
    const objects = resources && dictionaryEntry(resources, "XObject");
    if (objects === undefined || name === undefined) return;
    const stream = entry(objects, name);
    if (!(stream instanceof PDFStream) || nameEntry(stream.dict, "Subtype") !== "Form") this.add("picture");
    else {
      const reference = objects.get(PDFName.of(name));
      const known = this.content.sequences.length;
      const own = dictionaryEntry(stream.dict, "Resources") ?? resources;
      this.read(bytesOf(stream), own, reference instanceof PDFRef ? reference : undefined, depth + 1);
      if (reference instanceof PDFRef && this.content.sequences.length > known)
        this.content.forms.set(reference, (this.content.forms.get(reference) ?? 0) + 1);
    }
  }

  private place(): Painted["place"] {
    for (let index = this.marks.length - 1; index >= 0; index--) {
      const mark = this.marks[index];
      if (mark !== "plain") return mark;
    }
    return undefined;
  }
}

function identifierOf(
  properties: ContentOperand | undefined,
  resources: PDFDict | undefined,
): number | undefined {
  if (properties instanceof Map) {
    const identifier = properties.get("MCID");
    return typeof identifier === "number" ? identifier : undefined;
  }
  const found = resourceOf(resources, "Properties", operandName(properties));
  return found && numberEntry(found, "MCID");
}

function resourceOf(
  resources: PDFDict | undefined,
  category: string,
  name: string | undefined,
): PDFDict | undefined {
  const found = resources && dictionaryEntry(resources, category);
  return found === undefined || name === undefined ? undefined : dictionaryOf(entry(found, name));
}

function pageBytes(page: PDFPage): Uint8Array {
  const parts = listEntry(page.node, "Contents").map((part) => page.node.context.lookup(part));
  // The parts of a content stream are one stream, and each ends as if a blank followed.
  return Buffer.concat(
    parts.flatMap((part) => (part instanceof PDFStream ? [bytesOf(part), Buffer.from("\n")] : [])),
  );
}

function bytesOf(stream: PDFStream): Uint8Array {
  if (stream instanceof PDFRawStream) return decoded(stream);
  return stream instanceof PDFContentStream ? stream.getUnencodedContents() : new Uint8Array();
}
