/** What items of several kinds have in common. */
import { builtInColumns, fieldValue, type PositionItem } from "@slipway/sdk";
import type { OrganisationalDatum } from "../document/frames.js";
import type { ItemContext } from "./item-context.js";
import { unitCode } from "./units.js";

/** Identity and place in the document. */
export function itemPlace({ selected }: ItemContext) {
  const topLevelNumber = selected.parent?.itemNumber;
  return {
    id: selected.item.id,
    itemNumber: selected.itemNumber,
    ...(topLevelNumber !== undefined && { topLevelNumber }),
  };
}

/** Total quantity, and what it counts as in a quotation. */
export function itemQuantity(item: PositionItem, { selected, repairs }: ItemContext) {
  const { value, unit } = selected.quantity ?? item.quantity;
  const types = { active: undefined, alternative: "A", optional: "O" } as const;
  const itemType = types[selected.status];
  return {
    quantity: value,
    unit: unitCode(unit, repairs),
    ...(itemType !== undefined && { itemType }),
  };
}

/** The orderer's own number of an item, where it is asked for. */
export function clientNumber(item: PositionItem, { configuration, project, repairs }: ItemContext) {
  if (!configuration.refNumber) return {};
  const field = fieldValue(project, item, builtInColumns.externalItemNumber);
  const clientArticleNumber = repairs.line("externalItemNumber", field?.value);
  return clientArticleNumber === undefined ? {} : { clientArticleNumber };
}

/** Position in the article list, and the place where the item is to stand. */
export function placeData(item: PositionItem, context: ItemContext): OrganisationalDatum[] {
  const { configuration, locations, repairs, selected } = context;
  const location = configuration.exportRoomInformation ? locations.nameFor(item) : undefined;
  return [...datum("POS", repairs.line("position", selected.position)), ...datum("LOC", location)];
}

/** One datum, or none where there is no value. */
export function datum(type: OrganisationalDatum["type"], value: string | undefined): OrganisationalDatum[] {
  return value === undefined ? [] : [{ type, value }];
}
