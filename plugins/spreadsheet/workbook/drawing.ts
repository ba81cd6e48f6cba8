/** The drawing of a sheet: its pictures, each in its cell. */
import { StreamingXmlWriter } from "@slipway/sdk";
import { cutText, plainText } from "./cell-values.js";
import type { Media, Medium } from "./media.js";
import type { PlacedPicture } from "./row-writer.js";
import type { SheetPart } from "./sheet-part.js";

/** English Metric Units. */
const unitsPerPixel = 9525;
const unitsPerPoint = 12_700;
/** Padding between a picture and the edges of its cell. */
const padding = 2 * unitsPerPixel;
const longestDescription = 1000;
const piece = 32 * 1024;

interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The XML in pieces. Pictures move and resize with their cells; pictures missing from the file are left out. */
export function* drawingContent(
  { pictures, columnPixels }: PicturesOfSheet,
  media: Media,
): Generator<string> {
  const writer = new StreamingXmlWriter({ declaration: true });
  writer.open("xdr:wsDr", {
    "xmlns:xdr": "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing",
    "xmlns:a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "xmlns:r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
  });
  let number = 0;
  for (const picture of pictures) {
    const medium = media.find(picture.asset);
    if (medium === undefined) continue;
    number++;
    const cell = {
      width: columnPixels(picture.column) * unitsPerPixel,
      height: picture.height * unitsPerPoint,
    };
    writeAnchor(writer, { picture, medium, number, place: fitted(medium, cell) });
    if (writer.length >= piece) yield writer.take();
  }
  writer.close();
  yield writer.take();
}

/** The parts of a sheet that its drawing needs. */
export interface PicturesOfSheet {
  pictures: SheetPart["pictures"];
  columnPixels(column: number): number;
}

/** The id of a picture's relationship from its drawing. */
export function pictureRelationship({ name }: Medium): string {
  return name.split(".", 1).join("");
}

/** As large as fits, at most its pixel size, centred in the cell. */
function fitted({ width, height }: Medium, cell: { width: number; height: number }): Rectangle {
  const room = {
    width: Math.max(cell.width - 2 * padding, 1),
    height: Math.max(cell.height - 2 * padding, 1),
  };
  const size = { width: width * unitsPerPixel, height: height * unitsPerPixel };
  const scale = Math.min(room.width / size.width, room.height / size.height, 1);
  const fit = { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
  return {
    ...fit,
    left: Math.max(0, Math.round((cell.width - fit.width) / 2)),
    top: Math.max(0, Math.round((cell.height - fit.height) / 2)),
  };
}

interface Anchor {
  picture: PlacedPicture;
  medium: Medium;
  number: number;
  place: Rectangle;
}

function writeAnchor(writer: StreamingXmlWriter, { picture, medium, number, place }: Anchor): void {
  const { left, top, width, height } = place;
  writer.open("xdr:twoCellAnchor", { editAs: "twoCell" });
  writePoint(writer, "xdr:from", picture, left, top);
  writePoint(writer, "xdr:to", picture, left + width, top + height);
  writer.open("xdr:pic");
  writer.open("xdr:nvPicPr");
  writer.element("xdr:cNvPr", "", {
    id: number + 1,
    name: `Picture ${number}`,
    descr: cutText(plainText(picture.description), longestDescription),
  });
  writer.open("xdr:cNvPicPr");
  writer.element("a:picLocks", "", { noChangeAspect: 1 });
  writer.close();
  writer.close();
  writer.open("xdr:blipFill");
  writer.element("a:blip", "", { "r:embed": pictureRelationship(medium) });
  writer.open("a:stretch");
  writer.element("a:fillRect", "");
  writer.close();
  writer.close();
  writer.open("xdr:spPr");
  writer.open("a:xfrm");
  writer.element("a:off", "", { x: 0, y: 0 });
  writer.element("a:ext", "", { cx: width, cy: height });
  writer.close();
  writer.open("a:prstGeom", { prst: "rect" });
  writer.element("a:avLst", "");
  writer.close();
  writer.close();
  writer.close();
  writer.element("xdr:clientData", "");
  writer.close();
}

/** Drawings count rows and columns from 0. */
function writePoint(
  writer: StreamingXmlWriter,
  name: string,
  { row, column }: PlacedPicture,
  left: number,
  top: number,
): void {
  writer.open(name);
  writer.element("xdr:col", String(column - 1));
  writer.element("xdr:colOff", String(left));
  writer.element("xdr:row", String(row - 1));
  writer.element("xdr:rowOff", String(top));
  writer.close();
}
