/** Views: named ways to list the basket. */
import { type Static, Type, Uuid } from "../schema/schema.js";
import { closed, KeptParts, Line, Quantity } from "./values.js";

const ViewItem = Type.Object(
  {
    id: Uuid,
    /** More than one if the view merges equal items. */
    basketItemIds: Type.Array(Uuid),
    positionNumber: Type.String({ maxLength: 200 }),
    quantity: Type.Optional(Quantity),
    children: Type.Optional(Type.Array(Type.Ref("ViewItem"))),
  },
  closed,
);

/** One line of a view, with its own id. */
export const ViewItemTree = Type.Cyclic({ ViewItem }, "ViewItem");
/** One explicit line of a view; it has its own id besides those of its basket items. */
export type ViewItem = Static<typeof ViewItemTree>;

/** A named way to list the basket. */
export const View = Type.Object(
  {
    id: Uuid,
    name: Line,
    displayMode: Type.Enum(["sorted", "planning"]),
    mergeMode: Type.Enum([
      "None",
      "Articles",
      "Composites",
      "CompositesStrict",
      "SubArticles",
      "Compact",
      "ArticlesCompact",
    ]),
    setArticleMode: Type.Enum(["Expand", "Collapse", "Dynamic", "BreakUp"]),
    showTexts: Type.Boolean(),
    showNonOffer: Type.Boolean(),
    showNonOrder: Type.Boolean(),
    hiddenDiscounts: Type.Boolean(),
    expand: Type.Array(Type.Enum(["groups", "planningFolders", "folders", "partialPlannings", "aggregates"])),
    /** Id of the folder around all items in this view, if it does not follow from the other ids. */
    topItemId: Type.Optional(Uuid),
    /** Empty: the lines follow from the basket tree and the modes above. */
    items: Type.Array(ViewItemTree),
    /** Further data of the view in a project file. */
    kept: Type.Optional(KeptParts),
  },
  closed,
);
/** A named way to list the basket. If `items` is empty, its lines follow from the basket and the modes. */
export type View = Static<typeof View>;
