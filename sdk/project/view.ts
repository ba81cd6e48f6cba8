/** Views: named ways to list the basket. */
import { type Static, Type, Uuid } from "../schema.js";
import { KeptParts } from "./kept-parts.js";
import { closed, Line, Quantity } from "./values.js";

const ViewItem = Type.Object(
  {
    id: Uuid,
    /** More than one where the view merges equal items. */
    basketItemIds: Type.Array(Uuid),
    positionNumber: Type.String({ maxLength: 200 }),
    quantity: Type.Optional(Quantity),
    children: Type.Optional(Type.Array(Type.Ref("ViewItem"))),
  },
  closed,
);

/** One line of a view, with an id of its own. */
export const ViewItemTree = Type.Cyclic({ ViewItem }, "ViewItem");
/** One line of a view that lists its lines; it has an id of its own beside those of the basket items that it stands for. */
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
    /** Id that the folder around all items has in this view, where it does not follow from the other ids. */
    topItemId: Type.Optional(Uuid),
    /** Empty: the view follows from the basket tree and the modes above. */
    items: Type.Array(ViewItemTree),
    /** What a project file said of the view beyond these members. */
    kept: Type.Optional(KeptParts),
  },
  closed,
);
/** A named way to list the basket. Where `items` is empty, its lines follow from the basket and the modes. */
export type View = Static<typeof View>;
