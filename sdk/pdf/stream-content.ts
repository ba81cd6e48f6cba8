/** Decodes and encodes stream data. */
import { deflateSync, inflateSync } from "node:zlib";
import {
  isKind,
  isName,
  PdfFormatError,
  type PdfObject,
  type PdfStream,
  pdfDictionary,
  pdfName,
} from "./pdf-object.js";

/** Larger streams are rejected by default: the finisher never needs to inspect one that large. */
const unpackedBytes = 64 * 1024 ** 2;
/** No program packs a stream more than twice. */
const mostFilters = 8;

/** Resolves a reference. */
type Resolve = (object: PdfObject | undefined) => PdfObject;

/**
 * The decoded bytes, at most `limit`. Throws `PdfFormatError` for damaged data, data beyond the limit, and filters other
 * than Flate.
 */
export function decodedContent(
  stream: PdfStream,
  resolve: Resolve,
  limit: number = unpackedBytes,
): Uint8Array {
  const filters = listOf(stream.dictionary.entries.get("Filter"), resolve);
  if (filters.length > mostFilters) throw new PdfFormatError("A stream has too many filters.");
  const parameters = listOf(stream.dictionary.entries.get("DecodeParms"), resolve);
  let content = stream.data;
  for (const [index, filter] of filters.entries()) {
    if (!isName(filter, "FlateDecode")) throw new PdfFormatError("A stream has an unsupported filter.");
    content = withoutPredictor(inflated(content, limit), parameters[index] ?? null, resolve);
  }
  if (content.length > limit) throw tooLarge(limit);
  return content;
}

/** A stream of these bytes, compressed with Flate. Further dictionary entries may be given. */
export function packedStream(
  content: Uint8Array,
  entries: Record<string, PdfObject> = {},
  level = 6,
): PdfStream {
  return {
    kind: "stream",
    dictionary: pdfDictionary({ ...entries, Filter: pdfName("FlateDecode") }),
    data: deflateSync(content, { level }),
  };
}

function inflated(content: Uint8Array, limit: number): Uint8Array {
  try {
    return inflateSync(content, { maxOutputLength: Math.max(1, limit) });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(limit);
    throw new PdfFormatError("A stream cannot be decompressed.", { cause: error });
  }
}

function tooLarge(limit: number): PdfFormatError {
  return new PdfFormatError(`A stream has more than ${limit} bytes when it is unpacked.`);
}

function listOf(object: PdfObject | undefined, resolve: Resolve): PdfObject[] {
  const found = resolve(object);
  if (found === null) return [];
  return isKind(found, "array") ? found.items.map((each) => resolve(each)) : [found];
}

/** Reverses the PNG predictors used by cross-reference streams. */
function withoutPredictor(content: Uint8Array, parameters: PdfObject, resolve: Resolve): Uint8Array {
  if (!isKind(parameters, "dictionary")) return content;
  const number = (key: string, otherwise: number): number => {
    const found = resolve(parameters.entries.get(key));
    return typeof found === "number" && found > 0 && found < 65_536 ? Math.floor(found) : otherwise;
  };
  const predictor = number("Predictor", 1);
  if (predictor === 1) return content;
  if (predictor < 10) throw new PdfFormatError("A stream has an unsupported predictor.");
  const pixel = Math.max(1, (number("Colors", 1) * number("BitsPerComponent", 8)) >> 3);
  const width = Math.ceil((number("Columns", 1) * number("Colors", 1) * number("BitsPerComponent", 8)) / 8);
  const rows = Math.floor(content.length / (width + 1));
  const plain = new Uint8Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const kind = content[row * (width + 1)] ?? 0;
    const from = row * (width + 1) + 1;
    const to = row * width;
    for (let column = 0; column < width; column++) {
      const left = column >= pixel ? (plain[to + column - pixel] ?? 0) : 0;
      const up = row > 0 ? (plain[to + column - width] ?? 0) : 0;
      const corner = row > 0 && column >= pixel ? (plain[to + column - width - pixel] ?? 0) : 0;
      plain[to + column] = (content[from + column] ?? 0) + predicted(kind, left, up, corner);
    }
  }
  return plain;
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  if (kind !== 4) return 0;
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
