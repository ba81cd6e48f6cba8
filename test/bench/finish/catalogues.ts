/** Documents as dense with tags as a large quote: a table of articles with pictures and features on every page. */
import sharp from "sharp";

const articlesPerPage = 9;
const distinctPictures = 50;

/** HTML of exactly so many A4 pages, with headings for the outline, links and pictures. */
export async function catalogue(title: string, pages: number): Promise<string> {
  const pictures = await Promise.all(Array.from({ length: distinctPictures }, (_, index) => picture(index)));
  const sections = Array.from({ length: pages }, (_, page) => section(title, page, pictures));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${style}</style></head>
<body><h1>${title}</h1><p><a href="#page-1">First page</a>, <a href="https://example.com/">maker</a></p>${sections.join("")}</body></html>`;
}

const style = `@page { size: A4; margin: 12mm; @bottom-center { content: counter(page) " / " counter(pages) } }
  body { font: 7pt/1.15 sans-serif; margin: 0 } h1, h2, p, ul { margin: 0 0 1mm } h1 { font-size: 12pt } h2 { font-size: 10pt }
  section { break-after: page } section:last-child { break-after: auto } table { width: 100%; border-collapse: collapse }
  td, th { border-bottom: 1px solid; padding: 0.5mm; text-align: left; vertical-align: top } img { width: 14mm; height: 10mm }`;

function section(title: string, page: number, pictures: string[]): string {
  const rows = Array.from({ length: articlesPerPage }, (_, row) => {
    const number = page * articlesPerPage + row;
    const features = ["Colour", "Width", "Depth", "Height", "Surface", "Feet"].map(
      (feature, index) => `<li>${feature}: ${(number * (index + 3)) % 97}</li>`,
    );
    return `<tr><td>${page + 1}.${row + 1}</td><td><img src="${pictures[number % pictures.length]}" alt="Article ${number}"></td>
<td><strong>Article ${number}</strong><ul>${features.join("")}</ul></td><td>${number % 7}</td><td>${(number * 13.37).toFixed(2)}</td></tr>`;
  });
  const heads = ["Position", "Picture", "Article", "Quantity", "Price"].map(
    (head) => `<th scope="col">${head}</th>`,
  );
  return `<section id="page-${page + 1}"><h2>${title}, group ${page + 1}</h2><table><thead><tr>${heads.join("")}</tr></thead>
<tbody>${rows.join("")}</tbody></table></section>`;
}

async function picture(number: number): Promise<string> {
  const background = { r: (number * 37) % 256, g: (number * 59) % 256, b: (number * 83) % 256 };
  const png = await sharp({ create: { width: 160, height: 120, channels: 3, background } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString("base64")}`;
}
