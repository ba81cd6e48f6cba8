/** Elements of which some are read and the others are kept as they came. */

type Attributes = Readonly<Record<string, string | number | undefined>>;

const readFlags = new Set(["GroupCondition", "HeaderCondition"]);
const readPackInfos = new Set([
  "width",
  "height",
  "depth",
  "volume",
  "tareWeight",
  "netWeight",
  "itemsPerPackUnit",
  "packUnitsPerArticle",
]);
/** Of every three prices of one type, the reader takes one; which one is seen from all of them. */
export const priceElement = "itemPrice";

/** Whether an element that is read in general is one of those that say nothing to the reader. */
export function isUnread(name: string, attributes: Attributes): boolean {
  switch (name) {
    case "condTypeFlag":
      return !readFlags.has(String(attributes["value"]));
    case "roundingMode":
      return attributes["type"] !== "default";
    case "packInfo":
      return !readPackInfos.has(String(attributes["key"]));
    default:
      return false;
  }
}
