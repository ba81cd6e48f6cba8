import { ContentOperators, leadingName, markedIdentifier, operatorCode } from "@slipway/sdk/runtime/pdf";

/** Facts about the objects that a content stream refers to. */
export interface ContentOwner {
  /** The `MCID` of the properties of that name in the resources. */
  identifierOf(properties: string): number | undefined;
  /** Whether the form of that name in the resources marks its content itself. */
  isMarkedForm(name: string): boolean;
  /** Whether the object of that name in the resources is a picture. */
  isPicture(name: string): boolean;
  /** Whether a marked sequence has no meaning; `isWordless`: it shows only lines, areas and pictures. */
  isArtifact(identifier: number, isWordless: boolean): boolean;
}

interface Edit {
  from: number;
  to: number;
  text: string;
}

/** A sequence that has not ended. */
interface OpenMark {
  /** Undefined for a mark that does not belong to the structure. */
  identifier: number | undefined;
  isCovering: boolean;
  isWordless: boolean;
  from: number;
  to: number;
}

const marksWithProperties = operatorCode("BDC");
const artifact = "/Artifact BMC";
const end = "\nEMC\n";

const operatorsByMeaning = [
  ["path", ["m", "re"]],
  ["noPath", ["n"]],
  ["paint", ["f", "F", "f*", "B", "B*", "b", "b*", "S", "s"]],
  ["draw", ["sh", "BI"]],
  ["object", ["Do"]],
  ["beginText", ["BT"]],
  ["endText", ["ET"]],
  ["show", ["Tj", "TJ", "'", '"']],
  ["beginMark", ["BDC", "BMC"]],
  ["endMark", ["EMC"]],
] as const;
type Meaning = (typeof operatorsByMeaning)[number][0];

/** Most operators mean nothing here, so only their codes are compared. */
const meanings = new Map<number, Meaning>();
for (const [meaning, operators] of operatorsByMeaning)
  for (const each of operators) meanings.set(operatorCode(each), meaning);

/** The content with everything in an artifact that is not in the structure; undefined where there is nothing to do. */
export function contentWithArtifacts(bytes: Uint8Array, owner: ContentOwner): Uint8Array | undefined {
  const edits = new ArtifactEdits(bytes, owner).find();
  if (edits.length === 0) return undefined;
  edits.sort((a, b) => a.from - b.from);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { from, to, text } of edits) {
    parts.push(bytes.subarray(at, from), Buffer.from(text, "latin1"));
    at = to;
  }
  parts.push(bytes.subarray(at));
  return Buffer.concat(parts);
}

/**
 * Content in a row that is not in the structure becomes one artifact. It ends before the next mark, because marks may
 * cross the saving of graphics states but not each other; text objects hold whole marks only.
 */
class ArtifactEdits {
  private readonly edits: Edit[] = [];
  private readonly marks: OpenMark[] = [];
  /** How many open marks cover what is shown. */
  private covering = 0;
  private isRunning = false;
  private pathStart: number | undefined;
  private textStart: number | undefined;
  private hasMarkInText = false;
  /** Text shown outside of marks in the current text object. */
  private loose: { from: number; to: number }[] = [];
  private readonly operators: ContentOperators;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly owner: ContentOwner,
  ) {
    this.operators = new ContentOperators(bytes);
  }

  find(): Edit[] {
    const { operators } = this;
    while (operators.next()) {
      const meaning = meanings.get(operators.code);
      if (meaning !== undefined) this.visit(meaning, operators.operands, operators.end);
    }
    if (this.isRunning) this.insert(this.bytes.length, end);
    return this.edits;
  }

  private visit(meaning: Meaning, from: number, to: number): void {
    if (meaning === "show") this.shown(from, to);
    else if (meaning === "beginText") this.beginText(from);
    else if (meaning === "endText") this.endText();
    else if (meaning === "beginMark") this.beginMark(from, to);
    else if (meaning === "endMark") this.endMark(from);
    else if (meaning === "path") this.pathStart ??= from;
    else if (meaning === "noPath") this.pathStart = undefined;
    else if (meaning === "paint") this.painted(from);
    else if (meaning === "draw") this.drawn(from);
    else this.object(from);
  }

  private painted(from: number): void {
    this.drawn(this.pathStart ?? from);
    this.pathStart = undefined;
  }

  private drawn(from: number): void {
    if (this.covering === 0) this.run(from);
  }

  /** A form that marks its own content needs no mark around it. */
  private object(from: number): void {
    const name = leadingName(this.bytes, from) ?? "";
    if (this.covering > 0 && !this.owner.isPicture(name)) this.markWords();
    else if (this.covering === 0 && this.owner.isMarkedForm(name)) this.endRun(from);
    else this.drawn(from);
  }

  private shown(from: number, to: number): void {
    if (this.covering > 0) this.markWords();
    else if (this.textStart === undefined) this.run(from);
    else this.loose.push({ from, to });
  }

  private markWords(): void {
    for (const mark of this.marks) mark.isWordless = false;
  }

  private beginText(from: number): void {
    this.textStart = from;
    this.hasMarkInText = false;
  }

  private endText(): void {
    const { textStart, loose } = this;
    if (textStart !== undefined && loose.length > 0) {
      if (!this.hasMarkInText) this.run(textStart);
      else for (const { from, to } of loose) this.wrap(from, to);
    }
    this.textStart = undefined;
    this.loose = [];
  }

  private beginMark(from: number, to: number): void {
    this.endRun(this.hasMarkInText ? from : (this.textStart ?? from));
    this.hasMarkInText = true;
    const { bytes, operators, owner } = this;
    const identifier =
      operators.code === marksWithProperties
        ? markedIdentifier(bytes, from, operators.start, owner.identifierOf)
        : undefined;
    const isCovering = identifier !== undefined || leadingName(bytes, from) === "Artifact";
    this.marks.push({ identifier, isCovering, isWordless: true, from, to });
    if (isCovering) this.covering++;
  }

  private endMark(from: number): void {
    this.endRun(this.hasMarkInText ? from : (this.textStart ?? from));
    this.hasMarkInText = true;
    const mark = this.marks.pop();
    if (mark?.isCovering) this.covering--;
    if (mark?.identifier !== undefined && this.owner.isArtifact(mark.identifier, mark.isWordless))
      this.edits.push({ from: mark.from, to: mark.to, text: artifact });
  }

  private run(from: number): void {
    if (!this.isRunning) this.insert(from, `${artifact}\n`);
    this.isRunning = true;
  }

  private endRun(at: number): void {
    if (this.isRunning) this.insert(at, end);
    this.isRunning = false;
  }

  private wrap(from: number, to: number): void {
    this.insert(from, `${artifact}\n`);
    this.insert(to, end);
  }

  private insert(at: number, text: string): void {
    this.edits.push({ from: at, to: at, text });
  }
}
