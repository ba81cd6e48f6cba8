/** What an item counts as in the totals of a project. */
import type { Item, ProjectDocument } from "../project/document.js";
import { isPosition, itemIndex } from "../project/item-tree.js";

/** "alternative" and "optional" positions do not count in totals. */
export type ItemStatus = "active" | "alternative" | "optional";

const deepest = 1000;

/** What an item counts as in a scheme; a part of an alternative set or composite is alternative too. */
export function itemStatus(project: ProjectDocument, item: Item, scheme: string): ItemStatus {
  const index = itemIndex(project);
  let each: Item | undefined = item;
  for (let depth = 0; each !== undefined && depth < deepest; depth++) {
    const status = ownItemStatus(each, scheme);
    if (status !== "active") return status;
    each = index.get(each.id)?.parent ?? index.get(ownerId(each) ?? "")?.item;
  }
  return "active";
}

/** What an item counts as by itself, whatever it is a part of. */
export function ownItemStatus(item: Item, scheme: string): ItemStatus {
  if (!isPosition(item)) return "active";
  const entry = item.inactive?.find((each) => each.scheme === undefined || each.scheme === scheme);
  return entry?.kind ?? "active";
}

/** Of a part that stands beside its composite or set. */
function ownerId(item: Item): string | undefined {
  return item.type === "article" ? (item.mainArticleId ?? item.setArticleId) : undefined;
}
