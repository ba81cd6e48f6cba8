import type { Item, ProjectDocument, SetArticleItem } from "../project/document.js";
import { nestedBasket } from "./basket-owners.js";
import { mergeNodes } from "./merge-nodes.js";
import { totalQuantities } from "./total-quantities.js";
import { numberPositions, type ViewNode, viewNode } from "./view-node.js";
import { isHidden, type ViewRules } from "./view-rules.js";

/**
 * The lines that follow from the basket tree and the modes of a view:
 * - what the view hides is left out with everything below it;
 * - `expand` puts the content of folders ("folders") and the parts of composites ("aggregates", "partialPlannings")
 *   on the level of the folder or composite itself; "groups" and "planningFolders" change nothing, because such
 *   folders of a planning are not part of a project document;
 * - `setArticleMode` "Expand" lists the parts below a set, "Collapse" does not, "Dynamic" does as the set itself
 *   says (`collapsed`), and "BreakUp" lists the parts instead of the set;
 * - equal items are merged as `mergeMode` says;
 * - positions are numbered by what is left.
 */
export function derivedNodes(project: ProjectDocument, rules: ViewRules): ViewNode[] {
  const basket = nestedBasket(project);
  const total = totalQuantities(basket);
  const nodesOf = (item: Item): ViewNode[] => {
    if (isHidden(item, rules)) return [];
    const below = basket.children(item).flatMap(nodesOf);
    const line = (children: ViewNode[]): ViewNode => viewNode(item, { quantity: total([item]), children });
    if (item.type === "setArticle" && setMode(item, rules) === "BreakUp") return below;
    if (item.type === "setArticle" && setMode(item, rules) === "Collapse") return [line([])];
    if (!isExpanded(item, rules)) return [line(below)];
    return item.type === "folder" ? below : [line([]), ...below];
  };
  const nodes = mergeNodes(basket.top.flatMap(nodesOf), rules.mergeMode, project);
  numberPositions(nodes);
  return nodes;
}

function setMode(item: SetArticleItem, { setArticleMode }: ViewRules): ViewRules["setArticleMode"] {
  if (setArticleMode !== "Dynamic") return setArticleMode;
  return item.collapsed ? "Collapse" : "Expand";
}

function isExpanded(item: Item, rules: ViewRules): boolean {
  if (item.type === "folder") return rules.expand.includes("folders");
  if (item.type !== "article") return false;
  return (
    (item.articleKind === "aggregate" && rules.expand.includes("aggregates")) ||
    (item.articleKind === "partialPlanning" && rules.expand.includes("partialPlannings"))
  );
}
