/** Sets (OEX reference, section 5.3). */
import type { SetArticleItem } from "@slipway/sdk";
import type { PricingLine } from "../document/frames.js";
import type { OexSet } from "../document/oex-document.js";
import { articleTexts } from "../texts/article-texts.js";
import type { ItemContext } from "./item-context.js";
import { clientNumber, itemPlace, itemQuantity, placeData } from "./item-place.js";
import { pictureReferences } from "./references.js";

/** Name of a set that has neither name nor number. */
const unnamed = "Set";

/** Creates the set without its members, which are separate items. */
export async function createSet(
  item: SetArticleItem,
  pricing: PricingLine[],
  context: ItemContext,
): Promise<OexSet> {
  const { format, repairs } = context;
  const number = repairs.line("articleNumber", item.articleNumber);
  const vendor = context.codes.manufacturer(item, repairs);
  const series = context.codes.seriesOf(item, repairs);
  return {
    kind: "set",
    ...itemPlace(context),
    ...clientNumber(item, context),
    // A set with a manufacturer comes from its catalog; other sets are composed by the user.
    ...(number !== undefined && {
      articleNumber: { value: number, status: vendor === undefined ? "C" : "O" },
    }),
    ...(vendor !== undefined && { vendor }),
    ...(series !== undefined && { series }),
    ...itemQuantity(item, context),
    organisation: format.version === "3.1" ? placeData(item, context) : [],
    texts: articleTexts(item, number ?? unnamed, context),
    references: await pictureReferences(item, context),
    pricing,
  };
}
