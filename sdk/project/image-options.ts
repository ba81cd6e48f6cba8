/** Image options of requests. */
import type { Suppression } from "../errors.js";
import { Type } from "../schema.js";

/** `<key>=<value>` texts. */
export const ImageOptionTexts = Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 100, default: [] });

/** The evaluated image options. */
export interface ImageOptions {
  /** Tag of the preferred picture among the tagged pictures of an article. */
  tag: string | undefined;
}

/** Keys that clients send to control the rendering of pictures from 3D data. */
const renderingKeys = new Set([
  "hideSubArticles",
  "zoom",
  "alpha",
  "beta",
  "format",
  "shadowPlane",
  "shadowPlane.filter",
  "shadowPlane.color",
  "ambient",
  "renderMode",
]);

/**
 * Reads `<key>=<value>` texts. Pictures come from the project and are not rendered again, so only `tag` has an effect;
 * every other option is reported as `image-option-ignored`.
 */
export function readImageOptions(
  options: readonly string[],
  suppress: (suppression: Suppression) => void,
): ImageOptions {
  let tag: string | undefined;
  for (const option of options) {
    const separator = option.indexOf("=");
    const key = option.slice(0, Math.max(separator, 0)).trim();
    const value = option.slice(separator + 1).trim();
    const problem = separator < 1 ? "it is not of the form <key>=<value>" : obstacle(key, value);
    if (problem === undefined) tag = value;
    else suppress(ignored(option, problem));
  }
  return { tag };
}

function obstacle(key: string, value: string): string | undefined {
  if (key === "tag") return value === "" ? "the tag is empty" : undefined;
  if (renderingKeys.has(key)) return "pictures are taken from the project and not rendered anew";
  return `the key "${key}" is not known`;
}

function ignored(option: string, problem: string): Suppression {
  return {
    id: "image-option-ignored",
    scope: "WARN",
    message: `imageOptions: "${option}" is ignored: ${problem}`,
    additionalInformation: { option },
  };
}
