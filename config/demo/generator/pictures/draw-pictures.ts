/** All pictures of the demo project, as JPEG. */
import sharp from "sharp";
import { conferenceTable, powerModule, sideTable, sitStandDesk, tableTop } from "./desks.js";
import { conferenceChair, meshChair, sofa, taskChair } from "./seating.js";
import {
  acousticPanel,
  deskScreen,
  monitorArm,
  pedestal,
  phoneBooth,
  planter,
  sideboard,
  taskLight,
} from "./storage-and-more.js";

/** The drawings by the names that articles of the demo refer to. */
const drawings = {
  sitStandDesk,
  pedestal,
  monitorArm,
  deskScreen,
  taskChair,
  meshChair,
  sideboard,
  taskLight,
  conferenceTable,
  tableTop,
  powerModule,
  conferenceChair,
  sofa,
  sideTable,
  acousticPanel,
  phoneBooth,
  planter,
};

export type PictureName = keyof typeof drawings;

/** Side length in pixels, as usual in such project files. */
export const pictureSize = 512;

/** Draws every picture. The bytes depend on the JPEG encoder, the pixels do not. */
export async function drawPictures(): Promise<Map<string, Buffer>> {
  const pictures = new Map<string, Buffer>();
  for (const [name, draw] of Object.entries(drawings)) {
    const image = sharp(Buffer.from(draw()))
      .resize(pictureSize, pictureSize)
      .flatten({ background: "#ffffff" });
    pictures.set(name, await image.jpeg({ quality: 86, chromaSubsampling: "4:4:4" }).toBuffer());
  }
  return pictures;
}
