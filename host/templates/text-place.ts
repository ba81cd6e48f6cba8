/** A position in a file: line and column from 1, the column in characters. */
export interface TextPlace {
  line: number;
  column: number;
}

/** The offsets at which the lines of a text begin. */
export function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
}

/** The place of an offset in a text with these lines. */
export function placeAt(text: string, starts: readonly number[], offset: number): TextPlace {
  const line = starts.findLastIndex((start) => start <= offset);
  return { line: line + 1, column: characters(text, starts[line] ?? 0, offset) + 1 };
}

/** Counts without a copy of the line, which may be the whole file. */
function characters(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count++;
  return count;
}
