/**
 * The text without any of these characters at its end. An expression such as /[. ]+$/ would begin anew at every character of
 * every run of them, which takes time with the square of the run.
 */
export function trimmedEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
