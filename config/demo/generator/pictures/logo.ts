import { palette } from "./canvas.js";

/** The mark and name of the dealer in the demo project, as the value of a template's option `logoUrl`. */
export function logoUrl(): string {
  const svg = [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 160" width="640" height="160">',
    `<rect x="8" y="24" width="112" height="112" rx="18" fill="${palette.petrol}"/>`,
    `<path d="M30 84h68v10H30zM38 94h10v24H38zM80 94h10v24H80z" fill="${palette.oakLight}"/>`,
    `<circle cx="64" cy="58" r="14" fill="${palette.mustard}"/>`,
    `<text x="144" y="78" font-family="Noto Sans" font-size="44" font-weight="700" fill="${palette.graphite}">Atelier Lindqvist</text>`,
    `<text x="146" y="118" font-family="Noto Sans" font-size="26" fill="${palette.graphiteLight}">Workplaces, planned and built</text>`,
    "</svg>",
  ].join("");
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
