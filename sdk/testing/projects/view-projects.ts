import type { ProjectDocument } from "../../project/document.js";
import { id } from "./described-values.js";
import { projectOf } from "./project-of.js";

/**
 * Two equal chairs in two rooms, a note and a set, and four views with the ids `id(900)` to `id(903)`: "Offer" (the default, as the basket stands), "Article
 * list" (equal articles are one), "Without texts" with sets closed, and "Selection", which lists the second chair as
 * position A and the set as B. Chairs cost EUR 100.00.
 */
export function severalViews(): ProjectDocument {
  const chair = { article: "CHAIR", text: "Chair", sales: "100.00" };
  return projectOf({
    name: "Several views",
    items: [
      { folder: "First room", items: [{ ...chair, id: 1 }, { note: "By the window" }] },
      { folder: "Second room", items: [{ ...chair, id: 2 }] },
      { set: "LOUNGE", id: 3, text: "Lounge", items: [{ article: "SOFA", text: "Sofa", sales: "900.00" }] },
    ],
    views: [
      { name: "Offer" },
      { name: "Article list", mergeMode: "Articles" },
      { name: "Without texts", showTexts: false, setArticleMode: "Collapse" },
      {
        name: "Selection",
        items: [
          { id: id(910), basketItemIds: [id(2)], positionNumber: "A" },
          { id: id(911), basketItemIds: [id(3)], positionNumber: "B" },
        ],
      },
    ],
  });
}
