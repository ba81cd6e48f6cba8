/** What a damaged attachment has lost, as far as its pages show it. */
import { constants, inflateSync } from "node:zlib";
import {
  isName,
  type PdfDictionary,
  type PdfFile,
  type PdfObject,
  type PdfPage,
  type PdfStream,
} from "@slipway/sdk/runtime/pdf";
import { showsUndrawnField } from "./attachment-form.js";

/** What a damaged attachment may have lost, in the order in which a message names it. */
export const lostParts = [
  "pages",
  "texts and lines",
  "fonts",
  "pictures",
  "form fields",
  "other parts",
] as const;
export type LostPart = (typeof lostParts)[number];

/** What is missing or broken, and on which pages of the attachment, from 1; empty if only whole pages are missing. */
export interface AttachmentDamage {
  pages: number[];
  lost: LostPart[];
}

/** Lead from a page to other pages, or may hold null. */
const elsewhere = new Set(["Parent", "Dest", "A", "AA", "P", "Popup", "IRT", "B", "DecodeParms"]);

const lostOf: Record<string, LostPart> = { Contents: "texts and lines", Font: "fonts", XObject: "pictures" };

/** Larger streams are not unpacked for the check, and no stream after this number of bytes in all. */
const unpackedBytes = 8 * 1024 ** 2;
const unpackedInAll = 256 * 1024 ** 2;

/** Deeper objects are not checked; visible objects are not that deep. */
const deepest = 100;

/**
 * Looks for what the pages refer to and the file does not have, and for streams that cannot be unpacked. `isRepaired`: a
 * sound file may refer to nothing, and end a stream too early; in one that was repaired, that is a loss.
 */
export function damageOf(
  file: PdfFile,
  { catalog, pages: all }: { catalog: PdfDictionary; pages: readonly PdfPage[] },
  { isRepaired }: { isRepaired: boolean },
): AttachmentDamage | undefined {
  const gaps = new Gaps(file, isRepaired);
  const lost = new Set<LostPart>();
  const pages: number[] = [];
  for (const [index, page] of all.entries()) {
    const found = lostOn(file, page, gaps);
    for (const each of found) lost.add(each);
    if (found.size > 0) pages.push(index + 1);
  }
  if (isRepaired && all.length < countOf(file, catalog)) lost.add("pages");
  return lost.size === 0 ? undefined : { pages, lost: lostParts.filter((each) => lost.has(each)) };
}

/** Pages that it should have. */
function countOf(file: PdfFile, catalog: PdfDictionary): number {
  const count = file.resolve(file.dictionary(catalog.entries.get("Pages"))?.entries.get("Count"));
  return typeof count === "number" ? count : 0;
}

function lostOn(file: PdfFile, page: PdfPage, gaps: Gaps): Set<LostPart> {
  const lost = new Set<LostPart>();
  for (const [key, value] of page.dictionary.entries) {
    if (elsewhere.has(key)) continue;
    const resources = key === "Resources" ? file.dictionary(value) : undefined;
    if (resources !== undefined) {
      for (const [category, members] of resources.entries)
        if (gaps.in(members)) lost.add(lostOf[category] ?? "other parts");
    } else if (gaps.in(value)) lost.add(lostOf[key] ?? "other parts");
  }
  if (showsUndrawnField(file, page)) lost.add("form fields");
  return lost;
}

/** Where objects lead to nothing, or to a stream that is broken. */
class Gaps {
  /** By object: whether it leads to a gap; false while the object is being checked. */
  private readonly known = new Map<number, boolean>();
  /** Bytes that may still be unpacked. */
  private left = unpackedInAll;

  constructor(
    private readonly file: PdfFile,
    private readonly isRepaired: boolean,
  ) {}

  /** Whether what a value leads to has one. */
  in(value: PdfObject, depth = 0): boolean {
    if (value === null) return this.isRepaired;
    if (typeof value !== "object" || depth > deepest) return false;
    if (value.kind === "array") return value.items.some((item) => this.in(item, depth + 1));
    if (value.kind === "dictionary") return this.inEntries(value, depth);
    if (value.kind === "stream") return !this.isWhole(value) || this.inEntries(value.dictionary, depth);
    if (value.kind !== "reference") return false;
    const known = this.known.get(value.number);
    if (known !== undefined) return known;
    this.known.set(value.number, false);
    const found = this.in(this.file.get(value), depth + 1);
    this.known.set(value.number, found);
    return found;
  }

  private inEntries({ entries }: PdfDictionary, depth: number): boolean {
    for (const [key, value] of entries) if (!elsewhere.has(key) && this.in(value, depth + 1)) return true;
    return false;
  }

  /** As far as its first filter shows; what is packed in other ways counts as whole. */
  private isWhole({ data, dictionary }: PdfStream): boolean {
    const filter = dictionary.entries.get("Filter");
    const first = this.file.resolve(this.file.array(filter)?.[0] ?? filter);
    if (isName(first, "FlateDecode")) return this.isInflatable(data);
    if (this.isRepaired && isName(first, "DCTDecode")) return endsAsJpeg(data);
    return true;
  }

  private isInflatable(data: Uint8Array): boolean {
    if (this.left <= 0) return true;
    const { Z_FINISH: toTheEnd, Z_SYNC_FLUSH: asFarAsItGoes } = constants;
    const finishFlush = this.isRepaired ? toTheEnd : asFarAsItGoes;
    try {
      this.left -= inflateSync(data, { maxOutputLength: unpackedBytes, finishFlush }).byteLength;
      return true;
    } catch (error) {
      this.left -= unpackedBytes;
      // Larger than the limit.
      return error instanceof RangeError;
    }
  }
}

/** With the marker EOI, behind which some programs write blanks (ITU-T T.81, section B.2.1). */
function endsAsJpeg(data: Uint8Array): boolean {
  return Buffer.from(data.subarray(-64)).includes(Buffer.from([0xff, 0xd9]));
}
