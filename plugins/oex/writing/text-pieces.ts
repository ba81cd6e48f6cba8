/** Long texts in pieces. */

/**
 * Pieces of about the same length: about `length` characters (UTF-16 units), less than twice as many. None ends in the
 * middle of a character. None of an empty text.
 */
export function* textPieces(text: string, length: number): Generator<string> {
  const size = Math.ceil(text.length / Math.max(1, Math.floor(text.length / length)));
  for (let start = 0; start < text.length; ) {
    const last = text.charCodeAt(start + size - 1);
    const end = start + size + (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
    yield text.slice(start, end);
    start = end;
  }
}
