/** Pictures of an item, and the image options of requests. */
import type { Suppression } from "../schema/errors.js";
import { ownMember } from "../schema/own-member.js";
import { Type } from "../schema/schema.js";
import { builtInColumns, type FieldValue, fieldValue } from "./columns.js";
import type { Asset, Item, ProjectDocument } from "./document.js";
import { isPosition } from "./item-tree.js";
import { unshowablePicture } from "./picture-type.js";

/** A picture of an item. */
export interface ItemImage {
  /** Asset key; `session.asset(key)` returns the bytes. */
  key: string;
  /** Column id, or the tag of a tagged picture. */
  source: string;
  /** The project's asset; undefined if the project does not have it. */
  asset: Asset | undefined;
}

/** Columns filled by the application, in order of preference. */
const internalColumns = [
  builtInColumns.articleImage,
  builtInColumns.generatedImage,
  builtInColumns.catalogImage,
];

/** The picture in a column or its fallback columns. */
export function columnImage(project: ProjectDocument, item: Item, columnId: string): ItemImage | undefined {
  const field = fieldValue(project, item, columnId);
  return field === undefined ? undefined : imageOfField(project, field);
}

/**
 * All pictures that can represent an item, best first: the preferred column's, then the tagged pictures (the one with
 * `tag` first), then those of the built-in columns.
 */
export function articleImages(
  project: ProjectDocument,
  item: Item,
  preference: { column: string; tag?: string | undefined },
): ItemImage[] {
  const tagged = isPosition(item) ? (item.images ?? []) : [];
  const wanted = tagged.filter((image) => image.tag === preference.tag);
  const images = [
    columnImage(project, item, preference.column),
    ...[...wanted, ...tagged].map(({ tag, asset }) => itemImage(project, asset, tag)),
    ...internalColumns.map((column) => columnImage(project, item, column)),
  ];
  const seen = new Set<string>();
  return images.filter((image): image is ItemImage => {
    if (image === undefined || seen.has(image.key)) return false;
    seen.add(image.key);
    return true;
  });
}

/**
 * The best of these pictures that is in the project and can be shown. A better one is reported as
 * `item-image-error`.
 */
export function shownImage(
  item: Item,
  candidates: readonly ItemImage[],
  suppress: (suppression: Suppression) => void,
): ItemImage | undefined {
  const shown = candidates.find(({ asset }) => asset?.sha256 !== undefined && problemOf(asset) === undefined);
  const [missing] = candidates;
  if (missing !== undefined && missing !== shown) suppress(missingImage(missing, item, shown));
  return shown;
}

function problemOf(asset: Asset | undefined): string | undefined {
  return asset?.sha256 === undefined ? undefined : unshowablePicture(asset.mediaType);
}

function missingImage(missing: ItemImage, item: Item, shown: ItemImage | undefined): Suppression {
  const instead = shown === undefined ? "" : `; the one from "${shown.source}" is shown instead`;
  const problem = problemOf(missing.asset);
  const what = problem === undefined ? "is missing in the project" : `was left out: ${problem}`;
  return {
    id: "item-image-error",
    scope: shown === undefined ? "ERROR" : "WARN",
    message: `The picture "${missing.source}" of the item ${item.id} ${what}${instead}.`,
    additionalInformation: { itemId: item.id, source: missing.source, asset: missing.key },
  };
}

function imageOfField(project: ProjectDocument, field: FieldValue): ItemImage {
  return itemImage(project, field.value, field.columnId);
}

function itemImage(project: ProjectDocument, key: string, source: string): ItemImage {
  return { key, source, asset: ownMember(project.assets, key) };
}

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
    const problem = separator < 1 ? "it must have the form <key>=<value>" : obstacle(key, value);
    if (problem === undefined) tag = value;
    else suppress(ignored(option, problem));
  }
  return { tag };
}

function obstacle(key: string, value: string): string | undefined {
  if (key === "tag") return value === "" ? "the tag is empty" : undefined;
  if (renderingKeys.has(key)) return "pictures come from the project and are not rendered again";
  return `the key "${key}" is unknown`;
}

function ignored(option: string, problem: string): Suppression {
  return {
    id: "image-option-ignored",
    scope: "WARN",
    message: `"${option}" of \`imageOptions\` was ignored: ${problem}.`,
    additionalInformation: { option },
  };
}
