/** The square drawing area of product pictures: 512 units, with soft light. */

/** Colours of the materials in the pictures. */
export const palette = {
  oak: "#d9b98c",
  oakDark: "#c19c69",
  oakLight: "#e8d0aa",
  white: "#f4f4f2",
  whiteShade: "#dcdddb",
  graphite: "#3d4248",
  graphiteLight: "#5a6068",
  steel: "#aab1b8",
  petrol: "#2f6f7e",
  petrolDark: "#235663",
  petrolLight: "#4a8c9b",
  mustard: "#d8a13a",
  mustardDark: "#b98426",
  sage: "#93a88d",
  sageDark: "#748a6e",
  leaf: "#5f8f57",
  leafDark: "#44703f",
  clay: "#b9744f",
} as const;

/** The SVG of a picture: white ground, a soft shadow below the piece, and the shapes. */
export function picture(shadow: { x: number; y: number; width: number }, ...shapes: string[]): string {
  const { x, y, width } = shadow;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512">',
    '<defs><radialGradient id="ground"><stop offset="0" stop-color="#000" stop-opacity="0.28"/>',
    '<stop offset="0.7" stop-color="#000" stop-opacity="0.1"/><stop offset="1" stop-color="#000" stop-opacity="0"/>',
    '</radialGradient></defs><rect width="512" height="512" fill="#fff"/>',
    `<ellipse cx="${x}" cy="${y}" rx="${width / 2}" ry="${Math.max(10, width / 16)}" fill="url(#ground)"/>`,
    ...shapes,
    "</svg>",
  ].join("");
}

/** A rectangle with rounded corners. */
export function box(x: number, y: number, width: number, height: number, fill: string, radius = 0): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;
}

/** A filled outline. */
export function shape(path: string, fill: string): string {
  return `<path d="${path}" fill="${fill}"/>`;
}

/** A line with round ends. */
export function stroke(path: string, colour: string, width: number): string {
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

/** A disc, or an ellipse when the second radius differs. */
export function disc(x: number, y: number, radius: number, fill: string, second = radius): string {
  return `<ellipse cx="${x}" cy="${y}" rx="${radius}" ry="${second}" fill="${fill}"/>`;
}
