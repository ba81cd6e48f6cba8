/** Sets (OEX reference, section 5.3). */
import type { SetArticleItem } from "@slipway/sdk";
import type { PricingLine } from "../document/frames.js";
import type { OexSet } from "../document/oex-document.js";
import { articleTexts } from "../texts/article-texts.js";
import type { ItemContext } from "./item-context.js";
import { clientNumber, itemPlace, itemQuantity, placeData } from "./item-place.js";
import { pictureReferences } from "./references.js";

/** What a set is called that has neither name nor number. */
const unnamed = "Set";

/** The set without its members, which are items of their own. */
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
    // A set of a manufacturer comes from its catalog; others are put together by the user.
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
