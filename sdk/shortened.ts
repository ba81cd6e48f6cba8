/** A text of at most `longest` characters, never cut inside one; a shortened text ends with "…". */
export function shortened(text: string, longest: number): string {
  // A character has at most two UTF-16 units.
  const characters = [...text.slice(0, 2 * longest + 2)];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : characters.join("");
}
