/** How many columns of a terminal a text takes. */

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Ideographs, syllables of Korean, full-width forms, and pictures: two columns (Unicode Standard Annex 11). */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** Marks and joiners that stand alone. */
const invisible = /^[\p{M}\p{Cf}]+$/u;

const narrowOnly = /^[\x20-\x7e]*$/;

/** Columns of a text without control characters. */
export function displayWidth(text: string): number {
  if (narrowOnly.test(text)) return text.length;
  return [...graphemes.segment(text)].reduce((width, { segment }) => width + widthOf(segment), 0);
}

/** The text, filled with blanks to so many columns. */
export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** As much of a text as so many columns hold, with a mark at the end of what was cut. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let taken = "";
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) {
    columns += widthOf(segment);
    if (columns > width - 1) break;
    taken += segment;
  }
  return width > 0 ? `${taken}…` : "";
}

function widthOf(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return invisible.test(grapheme) ? 0 : 1;
}
