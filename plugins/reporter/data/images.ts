import {
  articleImages,
  columnImage,
  type Item,
  type ItemImage,
  type ReportImage,
  shownImage,
} from "@slipway/sdk";
import type { ReportContext } from "./report-context.js";

/** The picture of an article: the best one that the project holds. */
export function articleImage(
  item: Item,
  { project, columns, imageTag, suppress }: ReportContext,
): ReportImage | null {
  const candidates = articleImages(project, item, { column: columns.preferredImage, tag: imageTag });
  const shown = shownImage(item, candidates, suppress);
  return shown === undefined ? null : reportImage(shown);
}

/** The pictures in the additional columns, in the order of the columns. */
export function extraImages(item: Item, { project, columns, suppress }: ReportContext): ReportImage[] {
  return columns.images.flatMap((column) => {
    const image = columnImage(project, item, column);
    const shown = image && shownImage(item, [image], suppress);
    return shown === undefined ? [] : reportImage(shown);
  });
}

function reportImage({ asset, source }: ItemImage): ReportImage {
  return {
    url: `/assets/${asset?.sha256}`,
    width: asset?.width ?? null,
    height: asset?.height ?? null,
    source,
  };
}
