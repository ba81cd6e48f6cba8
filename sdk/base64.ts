/**
 * Whether a text is Base64 with padding and without line breaks (RFC 4648, section 4); true for an empty text. The
 * length is checked separately: one expression for all groups of four runs out of stack on a large picture.
 */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
