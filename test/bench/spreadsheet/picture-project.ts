/** Projects whose articles have a picture each that no other has. */
import { crc32 } from "node:zlib";
import { type ProjectDocument, writeObk } from "@slipway/sdk";
import { orderProject } from "../oex/order-project.js";

/** The project file, with pictures of about 20 kB. */
export async function pictureProject(articles: number): Promise<Uint8Array> {
  const project = await orderProject(articles);
  const shared = Object.values(project.assets ?? {}).map(({ base64 = "" }) => Buffer.from(base64, "base64"));
  const assets: NonNullable<ProjectDocument["assets"]> = {};
  let number = 0;
  const withOwn = (items: ProjectDocument["items"]): ProjectDocument["items"] =>
    items.map((item) => {
      const children =
        "children" in item && item.children !== undefined ? { children: withOwn(item.children) } : {};
      if (item.type !== "article") return { ...item, ...children };
      const key = `own-picture-${number}`;
      const picture = distinct(shared[number % shared.length] ?? Buffer.alloc(0), number);
      assets[key] = { mediaType: "image/png", base64: picture.toString("base64") };
      number++;
      return { ...item, ...children, images: [{ tag: "default", asset: key }] };
    });
  return writeObk({ ...project, items: withOwn(project.items), assets });
}

/** The same picture with a comment of its own before its last chunk. */
function distinct(png: Buffer, number: number): Buffer {
  const end = png.length - 12;
  const content = Buffer.from(`tEXtComment\0Article ${number}`, "latin1");
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(content.length - 4);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return Buffer.concat([png.subarray(0, end), chunk, png.subarray(end)]);
}
