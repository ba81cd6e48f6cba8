/**
 * Brings the files of the demo project up to date after a change of `demo-project.json` or of a picture: draws the pictures
 * into the JSON and writes the OBK and the OBX from it. Run `node --import tsx config/demo/generator/generate-demo.ts [folder]`.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import {
  type Asset,
  checked,
  PricingProcedure,
  type ProjectDocument,
  stableId,
  Validator,
  writeObk,
  writeObx,
} from "@slipway/sdk";
import sharp from "sharp";

const demoFolder = join(import.meta.dirname, "..");
const outFolder = process.argv[2] ?? demoFolder;

/** Side length in pixels, as usual in such project files. */
const pictureSize = 512;

const source: ProjectDocument = JSON.parse(await readFile(join(demoFolder, "demo-project.json"), "utf8"));
const project = { ...source, assets: { ...source.assets, ...(await drawPictures()) } };
await mkdir(outFolder, { recursive: true });
await writeDemoFile("demo-project.json", `${JSON.stringify(project, null, 2)}\n`);
await writeDemoFile("demo-project.obk", await writeObk(project, { procedures: [await standardProcedure()] }));
await writeDemoFile("demo-project.obx", writeObx(project));

async function writeDemoFile(name: string, content: string | Uint8Array): Promise<void> {
  await writeFile(join(outFolder, name), content);
}

/** The pictures by URI. Their bytes depend on the JPEG encoder, their pixels do not. */
async function drawPictures(): Promise<Record<string, Asset>> {
  const folder = join(import.meta.dirname, "pictures");
  const assets: Record<string, Asset> = {};
  for (const file of await readdir(folder)) {
    const image = sharp(join(folder, file))
      .resize(pictureSize, pictureSize)
      .flatten({ background: "#ffffff" });
    const jpeg = await image.jpeg({ quality: 86, chromaSubsampling: "4:4:4" }).toBuffer();
    assets[`gen:${stableId(`slipway-demo/picture/${parse(file).name}`)}`] = {
      mediaType: "image/jpeg",
      base64: jpeg.toString("base64"),
      width: pictureSize,
      height: pictureSize,
      attributes: { height: String(pictureSize), suffix: "jpg", width: String(pictureSize) },
    };
  }
  return assets;
}

/** The host's procedure; the OBK includes a copy of it. */
async function standardProcedure(): Promise<PricingProcedure> {
  const file = join(demoFolder, "..", "procedures", "STDB2B_WBK.json");
  const check = new Validator().compile(PricingProcedure, "STDB2B_WBK.json");
  return checked(check(JSON.parse(await readFile(file, "utf8"))), "The pricing procedure");
}
