/** Pictures of an item. */
import type { Suppression } from "../errors.js";
import { ownMember } from "../own-member.js";
import { builtInColumns, type FieldValue, fieldValue } from "./columns.js";
import type { Asset, Item, ProjectDocument } from "./document.js";
import { isPosition } from "./item-tree.js";

/** A picture that an item refers to; `asset` is undefined where the project does not hold it. */
export interface ItemImage {
  /** Key among the assets of the project; `session.asset(key)` gives its bytes. */
  key: string;
  /** Column id, or the tag of a tagged picture. */
  source: string;
  /** What the project knows of it; undefined where it does not hold it. */
  asset: Asset | undefined;
}

/** Columns that the program itself fills, in the order in which they are asked. */
const internalColumns = [
  builtInColumns.articleImage,
  builtInColumns.generatedImage,
  builtInColumns.catalogImage,
];

/** The picture in a column or in its fallback columns. */
export function columnImage(project: ProjectDocument, item: Item, columnId: string): ItemImage | undefined {
  const field = fieldValue(project, item, columnId);
  return field === undefined ? undefined : imageOfField(project, field);
}

/**
 * All pictures that can stand for an item, best first: that of the preferred column, then the tagged pictures (the
 * one with `tag` first), then those of the built-in columns.
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
 * The best of these pictures that the project holds. A better one that it refers to and does not hold is reported as
 * `item-image-error`.
 */
export function shownImage(
  item: Item,
  candidates: readonly ItemImage[],
  suppress: (suppression: Suppression) => void,
): ItemImage | undefined {
  const shown = candidates.find((image) => image.asset?.sha256 !== undefined);
  const [missing] = candidates;
  if (missing !== undefined && missing !== shown) suppress(missingImage(missing, item, shown));
  return shown;
}

function missingImage(missing: ItemImage, item: Item, shown: ItemImage | undefined): Suppression {
  const instead = shown === undefined ? "" : `; the one from "${shown.source}" is shown`;
  return {
    id: "item-image-error",
    scope: shown === undefined ? "ERROR" : "WARN",
    message: `Item ${item.id}: the project does not hold the picture from "${missing.source}"${instead}`,
    additionalInformation: { itemId: item.id, source: missing.source, asset: missing.key },
  };
}

function imageOfField(project: ProjectDocument, field: FieldValue): ItemImage {
  return itemImage(project, field.value, field.columnId);
}

function itemImage(project: ProjectDocument, key: string, source: string): ItemImage {
  return { key, source, asset: ownMember(project.assets, key) };
}
