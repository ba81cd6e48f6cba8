// Not fastest-levenshtein: it counts two swapped letters as two mistakes, but names below six characters allow only one
// ("nmae" for "name").
/** Maximum number of mistyped characters. */
const mostMistyped = 3;

/**
 * The known name that an unknown name is probably a misspelling of: "attachPDF" for "attachPdf". Undefined if none is
 * similar. Allows up to three mistyped characters, fewer in short names, and ignores case.
 */
export function similarName(name: string, known: Iterable<string>): string | undefined {
  const allowed = Math.min(mostMistyped, Math.max(1, Math.floor(name.length / 3)));
  let nearest: { name: string; distance: number } | undefined;
  for (const each of known) {
    // Names can be as long as a request; the difference in length is a lower bound of the distance.
    if (Math.abs(each.length - name.length) > allowed) continue;
    const distance = editDistance(name.toLowerCase(), each.toLowerCase());
    if (distance <= allowed && (nearest === undefined || distance < nearest.distance))
      nearest = { name: each, distance };
  }
  return nearest?.name;
}

/** Number of typing mistakes between two words: an extra, missing, different or swapped letter. */
function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = last;
    last = current;
  }
  return at(last, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
