import { articleImages, columnImage, type Item, type ItemImage, type ReportImage } from "@slipway/sdk";
import type { ReportContext } from "./report-context.js";

/**
 * The picture of an article: the best one that the project holds. A better one that it refers to and does not hold is
 * reported as `item-image-error`.
 */
export function articleImage(item: Item, context: ReportContext): ReportImage | null {
  const preference = { column: context.columns.preferredImage, tag: context.imageTag };
  const candidates = articleImages(context.project, item, preference);
  const shown = candidates.find((image) => image.asset?.sha256 !== undefined);
  const [missing] = candidates;
  if (missing !== undefined && missing !== shown) report(missing, item, shown, context);
  return shown === undefined ? null : reportImage(shown);
}

/** The pictures in the additional columns, in the order of the columns. */
export function extraImages(item: Item, context: ReportContext): ReportImage[] {
  const images: ReportImage[] = [];
  for (const column of context.columns.images) {
    const image = columnImage(context.project, item, column);
    if (image?.asset?.sha256 !== undefined) images.push(reportImage(image));
    else if (image !== undefined) report(image, item, undefined, context);
  }
  return images;
}

function reportImage({ asset, source }: ItemImage): ReportImage {
  return {
    url: `/assets/${asset?.sha256}`,
    width: asset?.width ?? null,
    height: asset?.height ?? null,
    source,
  };
}

function report(missing: ItemImage, item: Item, shown: ItemImage | undefined, context: ReportContext): void {
  const instead = shown === undefined ? "" : `; the one from "${shown.source}" is shown`;
  context.suppress({
    id: "item-image-error",
    scope: shown === undefined ? "ERROR" : "WARN",
    message: `Item ${item.id}: the project does not hold the picture from "${missing.source}"${instead}`,
    additionalInformation: { itemId: item.id, source: missing.source, asset: missing.key },
  });
}
