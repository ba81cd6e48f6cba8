/** What browsers write into PDFs in ways of their own: layers, masks, patterns, pictures of all kinds. */
import sharp, { type Sharp } from "sharp";
import { resources } from "./pdf-support.js";

const names = ["cmyk", "p3", "grey", "alpha", "faint", "palette", "webp", "gif", "avif", "svg"];

/** By name; all are accessible but the masks, which Chromium paints twice with the same tags. */
export const effects: Record<string, string> = {
  blending: `<div style="mix-blend-mode:multiply;background:#eee"><p>One</p><p style="mix-blend-mode:difference">two</p></div>`,
  filters: `<p style="filter:blur(1px)">One</p><p style="filter:opacity(.4)">two</p><p style="filter:drop-shadow(1px 1px red)">three</p>`,
  masks: `<div style="mask-image:linear-gradient(black,transparent)">One</div><div style="clip-path:circle(40%);background:#eee">Two</div>`,
  gradients: `<div style="background:conic-gradient(red,blue)">One</div><div style="background:radial-gradient(rgba(0,0,0,.5),blue)">Two</div>`,
  drawings: `<svg role="img" aria-label="A" width="60" height="60"><defs><pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse">
<circle r="2"/></pattern><linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue" stop-opacity=".2"/></linearGradient></defs>
<rect width="30" height="30" fill="url(#p)"/><rect x="9" width="30" height="30" fill="url(#g)"/><text x="5" y="20">T</text></svg>`,
  text: `<p style="font-style:oblique;font-weight:900;text-shadow:1px 1px 2px red">bold</p><p style="-webkit-text-stroke:1px red">outline</p>`,
  pictures: names.map((name) => `<img src="/${name}" alt="${name}" width="50">`).join(""),
};

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle r="20" fill="#08f8"/></svg>`;

/** The pictures of the effects, by path: each colour space and format that browsers show. */
export async function effectPictures() {
  const red = sharp({ create: { width: 300, height: 300, channels: 3, background: "red" } });
  const faint = sharp({ create: { width: 300, height: 300, channels: 4, background: "#12345678" } });
  const file = async (type: string, picture: Sharp) => ({
    mediaType: `image/${type}`,
    content: await picture.toBuffer(),
  });
  return resources({
    "/cmyk": await file("jpeg", red.clone().toColourspace("cmyk").jpeg()),
    "/p3": await file("jpeg", red.clone().withIccProfile("p3").jpeg()),
    "/grey": await file("jpeg", red.clone().toColourspace("b-w").jpeg()),
    "/alpha": await file("png", faint.clone().toColourspace("rgb16").png()),
    "/faint": await file("png", faint.clone().toColourspace("b-w").png()),
    "/palette": await file("png", red.clone().png({ palette: true })),
    "/webp": await file("webp", faint.clone().webp()),
    "/gif": await file("gif", red.clone().gif()),
    "/avif": await file("avif", red.clone().avif()),
    "/svg": { mediaType: "image/svg+xml", content: Buffer.from(svg) },
  });
}
