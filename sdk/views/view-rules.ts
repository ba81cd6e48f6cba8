import type { Item, ProjectDocument, View } from "../project/document.js";
import { isPosition } from "../project/item-tree.js";
import { RequestError } from "../schema/errors.js";

/** The rules by which a view lists the basket. */
export type ViewRules = Pick<
  View,
  "mergeMode" | "setArticleMode" | "showTexts" | "showNonOffer" | "showNonOrder" | "expand"
>;

/** Without a view the whole basket is shown with its nesting. */
export const defaultViewRules: ViewRules = {
  mergeMode: "None",
  setArticleMode: "Expand",
  showTexts: true,
  showNonOffer: true,
  showNonOrder: true,
  expand: [],
};

/** The "Standard" view, which clients may request in every project, even in one without a list of views. */
export const standardViewId = "5726009a-756d-11d6-9c21-00e029099a4b";

/**
 * The view with an id; without an id the project's default view, if any.
 * @throws {@link RequestError} 422 `request-view-not-found` if the project has no such view
 */
export function findView(project: ProjectDocument, viewId: string | undefined): View | undefined {
  const views = project.views ?? [];
  const wanted = (viewId ?? project.defaultViewId)?.toLowerCase();
  const found = views.find((view) => view.id.toLowerCase() === wanted);
  if (found !== undefined || viewId === undefined || wanted === standardViewId) return found;
  throw new RequestError({
    id: "request-view-not-found",
    code: 422,
    message: `The project has no view "${viewId}"; \`viewId\` can be ${describeViews(views)}.`,
    additionalInformation: { viewId, views: views.map(({ id, name }) => ({ id, name })) },
  });
}

/** Whether the rules hide an item. */
export function isHidden(item: Item, rules: ViewRules): boolean {
  if (item.type === "text") return !rules.showTexts;
  if (!isPosition(item)) return false;
  return (item.nonOffer === true && !rules.showNonOffer) || (item.nonOrder === true && !rules.showNonOrder);
}

function describeViews(views: readonly View[]): string {
  return views.length === 0 ? "none" : views.map((view) => `"${view.name}" (${view.id})`).join(", ");
}
