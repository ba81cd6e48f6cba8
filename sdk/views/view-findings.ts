import { type Suppression, suppressEach } from "../errors.js";
import type { ResolvedView } from "./resolve-view.js";

/** Reports unknown ids of a request (`item-not-found`) or of a view (`view-item-lost`). */
export function reportViewFindings(view: ResolvedView, suppress: (suppression: Suppression) => void): void {
  const where = view.view === undefined ? "the project" : `the view "${view.view.name}"`;
  const unknown = (id: string): Suppression => ({
    id: "item-not-found",
    scope: "WARN",
    message: `items: ${where} has no item "${id}"`,
    additionalInformation: { itemId: id },
  });
  suppressEach(view.unknownItemIds, unknown, suppress);
  for (const id of view.lostItemIds) {
    suppress({
      id: "view-item-lost",
      scope: "WARN",
      message: `${where} lists the item "${id}", which the project does not have`,
      additionalInformation: { itemId: id },
    });
  }
}
