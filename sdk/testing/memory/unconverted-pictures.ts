import { pictureType, unshowableBytes } from "../../project/picture-type.js";
import type { ShownPictures } from "../../runtime/host.js";

/** The pictures of a test host, which converts none: only PNG and JPEG, unchanged. */
export const unconvertedPictures: ShownPictures = {
  async shown(content) {
    const type = pictureType(content);
    const { mediaType, width, height } = type ?? {};
    const problem = unshowableBytes(type);
    if (problem !== undefined) return { problem };
    if (mediaType !== "image/png" && mediaType !== "image/jpeg")
      return { problem: `test hosts do not convert ${mediaType}` };
    if (width === undefined || height === undefined)
      return { problem: "it is damaged: it does not say how large it is" };
    return { mediaType, content, width, height };
  },
};
