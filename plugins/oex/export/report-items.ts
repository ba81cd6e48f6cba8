/** Which items the report of an export is about. */
import { nestedBasket, type ProjectDocument } from "@slipway/sdk";
import type { SelectedItem } from "../selection/selected-item.js";

/**
 * Ids of the items to print. A report shows everything below an item that it is asked for: folders and sets that hold
 * something else as well are left to appear as the frame of what is printed of them.
 */
export function reportItems(project: ProjectDocument, selected: readonly SelectedItem[]): string[] {
  const basket = nestedBasket(project);
  const ids = new Set(selected.map(({ item }) => item.id));
  const isWhole = ({ item, kind }: SelectedItem): boolean => {
    if (kind === "article" || kind === "text") return true;
    const pending = [...basket.children(item)]; // a folder may hold more items than a call may have arguments
    for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
      if (!ids.has(each.id)) return false;
      for (const child of basket.children(each)) pending.push(child);
    }
    return true;
  };
  return selected.filter(isWhole).map(({ item }) => item.id);
}
