/**
 * The text without these characters at its end. An expression such as /[. ]+$/ takes quadratic time on long runs of
 * them.
 */
export function trimmedEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
