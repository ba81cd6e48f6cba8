/** Pictures for parts of plugins that tests use without a host. */
import { type Picture, type PictureProblem, pictureType } from "@slipway/sdk";

/** What `session.picture` gives for these bytes where nothing is to be converted; anything but PNG and JPEG cannot be shown. */
export function shownPicture(bytes: Uint8Array | undefined): Picture | PictureProblem | undefined {
  if (bytes === undefined) return undefined;
  const { mediaType, width, height } = pictureType(bytes) ?? {};
  if (mediaType !== "image/png" && mediaType !== "image/jpeg") return { problem: "it cannot be shown" };
  if (width === undefined || height === undefined) return { problem: "it is damaged" };
  return { mediaType, content: bytes, width, height };
}
