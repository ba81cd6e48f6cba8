/** Items as nodes of a tree, for clients that walk through the basket. */
import {
  articleNumbers,
  chooseText,
  descriptionTexts,
  type Item,
  present,
  type Static,
  Type,
} from "@slipway/sdk";
import { type BasketNode, setAround } from "./basket-tree.js";
import { closed } from "./soap-operation.js";

export const ItemType = Type.Enum([
  "Folder",
  "Article",
  "Aggregate",
  "PartialPlanning",
  "OCDArticle",
  "SetArticle",
  "UserArticle",
  "Text",
]);

const Ids = Type.Optional(Type.Array(Type.String()));

const members = {
  itemId: Type.String(),
  itemType: ItemType,
  label: Type.String(),
  mainArticleId: Type.Optional(Type.String()),
  subArticleIds: Ids,
  subItemIds: Ids,
  setArticlePartIds: Ids,
  basketItemIds: Ids,
  setArticleId: Type.Optional(Type.String()),
  positionNumber: Type.Optional(Type.String()),
};

/** An item with the ids of those around it. */
export const BasketItem = Type.Object(
  { ...members, basketItems: Type.Optional(Type.Array(Type.Object(members, closed))) },
  closed,
);
export type BasketItem = Static<typeof BasketItem>;

/** What an answer has besides the tree. */
export interface BasketItemOptions {
  /** Best first. */
  languages: readonly string[];
  /** Whether the nodes are those of a view, which refer to items of the basket. */
  isView: boolean;
  setArticleIds?: boolean;
  positionNumbers?: boolean;
  basketItems?: boolean;
}

/** The `mainArticleId` of an article that is not part of another one. */
const noArticle = "00000000-0000-0000-0000-000000000000";

export function basketItem(node: BasketNode, options: BasketItemOptions): BasketItem {
  const { item, basketItems } = node;
  const ids = node.children.map(({ id }) => id);
  const isFolder = item === undefined || item.type === "folder";
  return present({
    itemId: node.id,
    itemType: itemType(item),
    label: labelOf(item, options.languages),
    mainArticleId: mainArticleId(node),
    subArticleIds: !isFolder && item.type !== "setArticle" ? ids : undefined,
    subItemIds: isFolder ? ids : undefined,
    setArticlePartIds: item?.type === "setArticle" ? ids : undefined,
    basketItemIds: options.isView ? basketItems.map(({ id }) => id) : undefined,
    setArticleId: options.setArticleIds ? setAround(node) : undefined,
    positionNumber: options.positionNumbers && node.position !== "" ? node.position : undefined,
    basketItems:
      options.isView && options.basketItems
        ? basketItems.map((each) => ({
            itemId: each.id,
            itemType: itemType(each),
            label: labelOf(each, options.languages),
          }))
        : undefined,
  });
}

const articleTypes = {
  article: "Article",
  aggregate: "Aggregate",
  partialPlanning: "PartialPlanning",
  ocd: "OCDArticle",
} as const;

/** The top folder is a folder. */
export function itemType(item: Item | undefined): Static<typeof ItemType> {
  switch (item?.type) {
    case "article":
      return articleTypes[item.articleKind];
    case "setArticle":
      return "SetArticle";
    case "userArticle":
      return "UserArticle";
    case "text":
      return "Text";
    default:
      return "Folder";
  }
}

/** What a list shows of an item. */
export function labelOf(item: Item | undefined, languages: readonly string[]): string {
  if (item === undefined) return "";
  if (item.type === "folder") return chooseText(item.name, languages).value;
  if (item.type === "text") return chooseText(item.text, languages).value;
  const short = chooseText(descriptionTexts(item, "shortText", languages), languages).value;
  return short || articleNumbers(item).shown;
}

function mainArticleId({ item, parent }: BasketNode): string | undefined {
  if (item?.type !== "article" && item?.type !== "userArticle") return undefined;
  return parent?.item?.type === "article" ? parent.id : noArticle;
}
