/**
 * Whether a text is Base64 with its padding and without line breaks (RFC 4648, section 4); an empty one is. Groups of four
 * are counted instead of matched: one expression for all of them runs out of stack on a large picture.
 */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
