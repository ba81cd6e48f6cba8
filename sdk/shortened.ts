/** A text of at most so many characters, never cut inside one; where something is left out, it ends with "…". */
export function shortened(text: string, longest: number): string {
  // No character has more than two units.
  const characters = [...text.slice(0, 2 * longest + 2)];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : characters.join("");
}
