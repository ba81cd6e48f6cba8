/** Checks, shortens and trims texts. */

/** A text of at most `longest` characters, never cut inside one; a shortened text ends with "…". */
export function shortened(text: string, longest: number): string {
  // A character has at most two UTF-16 units.
  const characters = [...text.slice(0, 2 * longest + 2)];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : characters.join("");
}

/**
 * The text without these characters at its end. An expression such as /[. ]+$/ takes quadratic time on long runs of
 * them.
 */
export function trimmedEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/**
 * Whether a text is Base64 with padding and without line breaks (RFC 4648, section 4); true for an empty text. The
 * length is checked separately: one expression for all groups of four runs out of stack on a large picture.
 */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
