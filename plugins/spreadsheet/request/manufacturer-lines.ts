/** The lines of an export, manufacturer by manufacturer. */
import {
  manufacturerNames,
  type PositionItem,
  type Static,
  Type,
  type ViewNode,
  walkNodes,
} from "@slipway/sdk";
import type { ExportContext } from "./export-context.js";
import { isPriced } from "./priced-node.js";

/** Both empty for articles that state none. */
export const Manufacturer = Type.Object({
  manufacturerId: Type.String({ description: "Empty for articles that state none." }),
  manufacturerName: Type.String(),
});
export type Manufacturer = Static<typeof Manufacturer>;

/** A manufacturer with what is to be ordered from it. */
export interface ManufacturerLines extends Manufacturer {
  /** Its articles; what is above them stays as a frame without a price. */
  nodes: ViewNode[];
}

/**
 * What is to be ordered from whom, in order of appearance. What states no manufacturer comes last, so that nothing is lost. A
 * part belongs to its own manufacturer, whatever that of its set or composite is. One without an id goes by its name.
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
  const keys = [...found.keys()].sort((one, other) => Number(one === nobody) - Number(other === nobody));
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

/** What is bought as it is: a set is bought as its parts, unless the view shows none of them. */
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

const nobody = "";

function keyOf({ manufacturerId, manufacturerName }: Manufacturer): string {
  if (manufacturerId !== "") return `id ${manufacturerId}`;
  return manufacturerName === "" ? nobody : `name ${manufacturerName}`;
}
