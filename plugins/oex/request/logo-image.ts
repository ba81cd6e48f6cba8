import {
  type Asset,
  badRequest,
  isBase64,
  type ProjectDocument,
  pictureType,
  shownValue,
} from "@slipway/sdk";

/** Source of the order report's logo. */
export type LogoImage =
  /** A displayable `data:` URL. */
  | { kind: "embedded"; dataUrl: string }
  /** A picture of the project. */
  | { kind: "asset"; key: string; asset: Asset };

const longestKey = 200;

/** What the printing browser shows; only pictures of a project are converted. */
const shownTypes = ["png", "jpeg", "gif", "webp", "avif", "bmp", "svg+xml"].map((name) => `image/${name}`);

/**
 * Reads `pdfLogoImage`: the key of a project asset, a Base64 data URL, or the bare Base64 of a picture; padding is
 * optional. Accepts PNG, JPEG, GIF, WebP, AVIF, BMP and SVG; the bytes determine the type, not the URL.
 * @throws {RequestError} 400 `request-bad-request` for anything else
 */
export function readLogoImage(value: string, project: ProjectDocument): LogoImage {
  const assets = new Map(Object.entries(project.assets ?? {}));
  const asset = value.length <= longestKey ? assets.get(value) : undefined;
  if (asset !== undefined) return { kind: "asset", key: value, asset };
  const data = value.replace(/^\s*data:[^,]*;base64,/i, "").replace(/\s+/g, "");
  const padded = data.padEnd(4 * Math.ceil(data.length / 4), "=");
  const bytes = padded !== "" && isBase64(padded) ? Buffer.from(padded, "base64") : undefined;
  const type = bytes === undefined ? undefined : pictureType(bytes);
  if (bytes === undefined || type === undefined || !shownTypes.includes(type.mediaType))
    throw noPicture(value);
  return { kind: "embedded", dataUrl: `data:${type.mediaType};base64,${bytes.toString("base64")}` };
}

function noPicture(value: string) {
  return badRequest("The logo is not a picture", [
    {
      path: "body.config.pdfLogoImage",
      expected:
        "a picture (PNG, JPEG, GIF, WebP, AVIF, BMP or SVG) in Base64 or as data URL, or the key of an asset of the project",
      received: shownValue(value),
    },
  ]);
}
