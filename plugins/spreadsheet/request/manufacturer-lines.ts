/** Splits the lines of an export by manufacturer. */
import {
  manufacturerNames,
  type PositionItem,
  type Static,
  Type,
  type ViewNode,
  walkNodes,
} from "@slipway/sdk";
import { type ExportContext, isPriced } from "./export-context.js";

/** Both empty for articles without a manufacturer. */
export const Manufacturer = Type.Object({
  manufacturerId: Type.String({ description: "Empty for articles that state none." }),
  manufacturerName: Type.String(),
});
export type Manufacturer = Static<typeof Manufacturer>;

/** A manufacturer with the lines to order from it. */
export interface ManufacturerLines extends Manufacturer {
  /** Its articles; ancestors stay as frames without a price. */
  nodes: ViewNode[];
}

/**
 * The lines to order from each manufacturer, in order of appearance. Articles without a manufacturer come last, so that
 * nothing is lost. A part belongs to its own manufacturer, regardless of its set or composite. A manufacturer without
 * an id is identified by name.
 */
export function manufacturerLines(context: ExportContext): ManufacturerLines[] {
  const found = new Map<string, Manufacturer>();
  for (const node of walkNodes(context.nodes)) {
    const item = orderedItem(node);
    if (item === undefined) continue;
    const own = manufacturerOf(item, context);
    const known = found.get(keyOf(own));
    if (known === undefined || known.manufacturerName === "") found.set(keyOf(own), own);
  }
  const keys = [...found.keys()].sort(
    (one, other) => Number(one === noManufacturer) - Number(other === noManufacturer),
  );
  return keys.flatMap((key) => {
    const manufacturer = found.get(key);
    const isOwn = (item: PositionItem): boolean => keyOf(manufacturerOf(item, context)) === key;
    return manufacturer === undefined ? [] : { ...manufacturer, nodes: linesOf(context.nodes, isOwn) };
  });
}

function linesOf(nodes: readonly ViewNode[], isOwn: (item: PositionItem) => boolean): ViewNode[] {
  return nodes.flatMap((node): ViewNode[] => {
    const item = orderedItem(node);
    const children = linesOf(node.children, isOwn);
    if (item !== undefined && isOwn(item)) return [{ ...node, children }];
    return children.length > 0 ? [{ ...node, children, frame: true }] : [];
  });
}

/** The item if it is ordered itself: a set is ordered as its parts, unless the view shows none of them. */
function orderedItem(node: ViewNode): PositionItem | undefined {
  if (node.frame || !isPriced(node)) return undefined;
  return node.item.type === "setArticle" && node.children.length > 0 ? undefined : node.item;
}

function manufacturerOf(item: PositionItem, { project, texts }: ExportContext): Manufacturer {
  return {
    manufacturerId: (item.manufacturerId ?? "").trim(),
    manufacturerName: texts.ofItem(manufacturerNames(project, item), item.id, "manufacturerName"),
  };
}

const noManufacturer = "";

function keyOf({ manufacturerId, manufacturerName }: Manufacturer): string {
  if (manufacturerId !== "") return `id ${manufacturerId}`;
  return manufacturerName === "" ? noManufacturer : `name ${manufacturerName}`;
}
