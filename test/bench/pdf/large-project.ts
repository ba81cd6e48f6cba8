/** Projects of any size, made of the articles of the demo project. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Item, ProjectDocument } from "@slipway/sdk";
import sharp from "sharp";

/** A project with so many articles, each with texts, features, prices and a picture, of which so many differ. */
export async function largeProject(articles: number, distinctPictures = 50): Promise<ProjectDocument> {
  const file = new URL("../../../config/demo/demo-project.json", import.meta.url);
  const demo: ProjectDocument = JSON.parse(await readFile(file, "utf8"));
  const templates = demo.items.flatMap(articlesIn).filter((item) => item.articleKind === "article");
  const assets: NonNullable<ProjectDocument["assets"]> = {};
  const keys: string[] = [];
  for (let number = 0; number < Math.min(articles, distinctPictures); number++) {
    const key = `picture-${number}`;
    assets[key] = { mediaType: "image/png", base64: (await picture(number)).toString("base64") };
    keys.push(key);
  }
  const items = Array.from({ length: articles }, (_, index): Item => {
    const template = templates[index % templates.length];
    if (template === undefined) throw new Error("the demo project has no articles");
    const { setArticleId: _set, ...article } = template;
    const asset = keys[index % keys.length] ?? "";
    return { ...article, id: uuid(`article ${index}`), images: [{ tag: "default", asset }] };
  });
  const {
    views: _views,
    defaultViewId: _default,
    conditions: _conditions,
    calculations: _sheets,
    ...rest
  } = demo;
  const { headerText: _before, footerText: _after, ...header } = rest.header;
  return { ...rest, header, id: uuid(`project ${articles}`), items, assets };
}

type Article = Extract<Item, { type: "article" }>;

function articlesIn(item: Item): Article[] {
  if (item.type === "article") return [item];
  return "children" in item && item.children !== undefined ? item.children.flatMap(articlesIn) : [];
}

function uuid(text: string): string {
  const hash = createHash("sha256").update(text).digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** An opaque PNG of about 20 KB that looks a little like a product on white, different for each number. */
async function picture(number: number): Promise<Buffer> {
  const hue = (number * 47) % 360;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="360"><defs>
    <linearGradient id="g" x2="1" y2="1"><stop stop-color="hsl(${hue},60%,35%)"/><stop offset="1" stop-color="hsl(${hue + 30},70%,80%)"/></linearGradient>
    <radialGradient id="s"><stop stop-color="#888"/><stop offset="1" stop-color="#fff"/></radialGradient></defs>
    <rect width="360" height="360" fill="#fff"/><ellipse cx="180" cy="310" rx="150" ry="30" fill="url(#s)"/>
    <rect x="70" y="${60 + (number % 7) * 8}" width="220" height="150" rx="30" fill="url(#g)"/>
    <rect x="90" y="200" width="${120 + (number % 5) * 14}" height="100" rx="12" fill="url(#g)"/></svg>`;
  return sharp(Buffer.from(svg)).flatten({ background: "#fff" }).png().toBuffer();
}
