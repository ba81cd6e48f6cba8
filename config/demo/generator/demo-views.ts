/** Views of the demo project. */
import type { Item, View, ViewItem } from "@slipway/sdk";
import { demoId } from "./demo-texts.js";

/** The view that reports use when they are not told another. */
export const defaultViewId = "dde46879-e6ad-4c68-9177-780232e20595";

const modes: Omit<View, "id" | "name" | "items" | "showTexts"> = {
  displayMode: "planning",
  mergeMode: "None",
  setArticleMode: "Expand",
  showNonOffer: true,
  showNonOrder: true,
  hiddenDiscounts: false,
  expand: ["groups", "planningFolders"],
};

/** One view with its own lines and numbers, and one that follows from the basket. */
export function demoViews(items: readonly Item[]): View[] {
  return [
    { ...modes, id: "5726009a-756d-11d6-9c21-00e029099a4b", name: "Standard", showTexts: false, items: [] },
    {
      ...modes,
      id: defaultViewId,
      name: "WBK-Standard",
      showTexts: true,
      items: numbered(items, ""),
    },
  ];
}

/** Texts have no number; everything else is counted along the tree. */
function numbered(items: readonly Item[], prefix: string): ViewItem[] {
  let count = 0;
  return items.map((item) => {
    if (item.type !== "text") count += 1;
    const positionNumber = item.type === "text" ? "" : `${prefix}${count}`;
    const children = item.type === "text" ? [] : numbered(item.children ?? [], `${positionNumber}.`);
    return {
      id: demoId(`view/${item.id}`),
      basketItemIds: [item.id],
      positionNumber,
      ...(children.length === 0 ? {} : { children }),
    };
  });
}
