// Not fastest-levenshtein: two swapped letters count as two there, and names below six characters allow one ("nmae" for "name").
/** More than so many mistyped characters mean something else. */
const mostMistyped = 3;

/**
 * The known name that was probably meant by one that is not known: "attachPDF" for "attachPdf". Undefined where none is near; up to
 * three mistyped characters count as near, fewer in short names. Capital and small letters count alike.
 */
export function similarName(name: string, known: Iterable<string>): string | undefined {
  const allowed = Math.min(mostMistyped, Math.max(1, Math.floor(name.length / 3)));
  let nearest: { name: string; distance: number } | undefined;
  for (const each of known) {
    // A name can be as long as a request; the difference in length is the least that the distance can be.
    if (Math.abs(each.length - name.length) > allowed) continue;
    const distance = editDistance(name.toLowerCase(), each.toLowerCase());
    if (distance <= allowed && (nearest === undefined || distance < nearest.distance))
      nearest = { name: each, distance };
  }
  return nearest?.name;
}

/** How many slips of the finger lie between two words: a letter too much, too few, another one, or two that are swapped. */
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
