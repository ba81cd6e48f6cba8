/** Report lines for folders and texts; `article.ts` has the articles. */
import { Type } from "../schema.js";
import { closed, count, decimal, flag, listOf, name, text } from "./values.js";

/** Members of every line. */
export const lineMembers = {
  id: text("Id of the line: of the view's item, or of the basket's where no view lists it."),
  basketItemIds: Type.Array(Type.String(), {
    description:
      "Ids of the items in the basket that the line is about; several where the view merges equal ones.",
  }),
  depth: count("Depth in the tree, 0 at the top."),
  position: text('Number of the line, such as "2.1"; empty where the view gives none, as most do for texts.'),
  breakBefore: flag("The request wants a page break before it."),
  breakAfter: flag("The request wants a page break after it, and after what is below it."),
};

/** A folder with its lines. */
export const ReportFolder = Type.Object(
  {
    kind: name("folder", "Tells folders, texts and articles apart."),
    ...lineMembers,
    name: text("Name of the folder."),
    longText: text("What there is to say about it."),
    showSubTotal: flag("The project wants its sub-total to be shown."),
    subTotal: decimal("Net value of what counts in it, before header discounts."),
    children: listOf("ReportItem", "Lines in the folder, in print order."),
  },
  { ...closed, description: "A folder with what is in it." },
);

/** A text between positions. */
export const ReportText = Type.Object(
  {
    kind: name("text", "Tells folders, texts and articles apart."),
    ...lineMembers,
    text: text("The text, or its heading."),
    longText: text("Further text."),
  },
  { ...closed, description: "A text between positions." },
);

/** A line of any kind. */
export const ReportItem = Type.Union([
  Type.Ref("ReportFolder"),
  Type.Ref("ReportText"),
  Type.Ref("ReportArticle"),
]);
