/** Views as the service `Basket` has them: how they list the basket, without their lines. */
import {
  badRequest,
  type ProjectDocument,
  present,
  type Static,
  shownValue,
  standardViewId,
  Type,
  View,
} from "@slipway/sdk";
import { attribute } from "../soap/soap.js";
import { closed } from "./soap-operation.js";

const Flag = Type.Optional(Type.Boolean(attribute));
const view = View.properties;

/** A view without its lines. Which columns a client shows is its own affair. */
export const BasketViewConfig = Type.Object(
  {
    name: Type.Optional(view.name),
    viewId: Type.String({ format: "uuid", ...attribute }),
    removable: Flag,
    editable: Flag,
    displayMode: Type.Optional(Type.Enum(["Sorted", "Planning"], attribute)),
    expandGroups: Flag,
    expandPlanningFolders: Flag,
    expandBasketFolders: Flag,
    expandPartialPlannings: Flag,
    expandAggregates: Flag,
    textItemsVisible: Flag,
    nonOfferArticlesVisible: Flag,
    nonOrderArticlesVisible: Flag,
    mergeMode: Type.Optional(Type.Enum(view.mergeMode.enum, attribute)),
    hiddenDiscounts: Flag,
    setArticleMode: Type.Optional(Type.Enum(view.setArticleMode.enum, attribute)),
  },
  closed,
);
export type BasketViewConfig = Static<typeof BasketViewConfig>;

/** Members that say what a view expands. */
const expansions = {
  groups: "expandGroups",
  planningFolders: "expandPlanningFolders",
  folders: "expandBasketFolders",
  partialPlannings: "expandPartialPlannings",
  aggregates: "expandAggregates",
} as const;

/** The view of a project without any, which clients may ask for by its id. */
const standardView: View = {
  id: standardViewId,
  name: "Standard",
  displayMode: "planning",
  mergeMode: "None",
  setArticleMode: "Expand",
  showTexts: true,
  showNonOffer: true,
  showNonOrder: true,
  hiddenDiscounts: false,
  expand: [],
  items: [],
};

/** All views of a project, at least the standard one. */
export function viewsOf({ views = [] }: ProjectDocument): readonly View[] {
  return views.length === 0 ? [standardView] : views;
}

/** The view with an id. 400 `request-bad-request` lists all views. */
export function viewNamed(project: ProjectDocument, viewId: string): View {
  const all = viewsOf(project);
  const found = all.find(({ id }) => id === viewId.toLowerCase());
  if (found !== undefined) return found;
  const expected = `the id of a view: ${all.map(({ id, name }) => `${id} (${name})`).join(", ")}`;
  throw badRequest("There is no such view", [{ path: "viewId", expected, received: shownValue(viewId) }]);
}

export function viewConfig(each: View): BasketViewConfig {
  return {
    name: each.name,
    viewId: each.id,
    removable: false,
    editable: true,
    displayMode: each.displayMode === "sorted" ? "Sorted" : "Planning",
    expandGroups: each.expand.includes("groups"),
    expandPlanningFolders: each.expand.includes("planningFolders"),
    expandBasketFolders: each.expand.includes("folders"),
    expandPartialPlannings: each.expand.includes("partialPlannings"),
    expandAggregates: each.expand.includes("aggregates"),
    textItemsVisible: each.showTexts,
    nonOfferArticlesVisible: each.showNonOffer,
    nonOrderArticlesVisible: each.showNonOrder,
    mergeMode: each.mergeMode,
    hiddenDiscounts: each.hiddenDiscounts,
    setArticleMode: each.setArticleMode,
  };
}

/** The project with a view as `config` has it; what it has not stays. A view that lists otherwise loses its own lines. */
export function withViewConfig(project: ProjectDocument, config: BasketViewConfig): ProjectDocument {
  const before = viewNamed(project, config.viewId);
  const expand = view.expand.items.enum.filter(
    (each) => config[expansions[each]] ?? before.expand.includes(each),
  );
  const rules: Omit<View, "items" | "name" | "kept" | "topItemId"> = {
    id: before.id,
    displayMode:
      config.displayMode === undefined
        ? before.displayMode
        : config.displayMode === "Sorted"
          ? "sorted"
          : "planning",
    mergeMode: config.mergeMode ?? before.mergeMode,
    setArticleMode: config.setArticleMode ?? before.setArticleMode,
    showTexts: config.textItemsVisible ?? before.showTexts,
    showNonOffer: config.nonOfferArticlesVisible ?? before.showNonOffer,
    showNonOrder: config.nonOrderArticlesVisible ?? before.showNonOrder,
    hiddenDiscounts: config.hiddenDiscounts ?? before.hiddenDiscounts,
    expand,
  };
  const isSame = listingOf(before) === listingOf({ ...before, ...rules });
  const changed: View = present({
    ...before,
    ...rules,
    name: config.name ?? before.name,
    items: isSame ? before.items : [],
  });
  const views = project.views ?? [];
  const isThere = views.some(({ id }) => id === changed.id);
  return {
    ...project,
    views: isThere ? views.map((each) => (each.id === changed.id ? changed : each)) : [...views, changed],
  };
}

/** What the lines of a view follow from. */
function listingOf(view: View): string {
  const { mergeMode, setArticleMode, showTexts, showNonOffer, showNonOrder, expand } = view;
  const choices = [mergeMode, setArticleMode, showTexts, showNonOffer, showNonOrder];
  return JSON.stringify([...choices, [...expand].sort()]);
}
