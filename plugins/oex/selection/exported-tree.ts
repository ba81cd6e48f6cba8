/** The tree of a project's exported items, before numbering. */
import {
  Exact,
  type Item,
  type ItemStatus,
  isPosition,
  nestedBasket,
  ownItemStatus,
  type PositionItem,
  type ProjectDocument,
  type TextItem,
} from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import type { Repairs } from "../repair/repairs.js";
import { hasText } from "../texts/item-texts.js";
import type { LeftOutArticle, LeftOutReason } from "./left-out.js";
import { chosenManufacturers, manufacturerOf } from "./manufacturers.js";
import { isNegative, writtenQuantity } from "./quantities.js";

/** An exported item with the exported items below it. */
export interface ExportedNode
  extends Pick<SelectedItem, "kind" | "item" | "status" | "position" | "quantity"> {
  children: ExportedNode[];
}

/** State that items inherit from the items above. */
interface Above {
  status: SelectedItem["status"];
  /** Product of the quantities above: parts state theirs per set or composite. */
  factor: Exact;
}

/** The exported nodes of an item, and whether the project has any articles in it. */
interface Found {
  nodes: ExportedNode[];
  hasArticles: boolean;
}

/**
 * The exported items, nested as in the basket; parts are below their composite or set. The children of an omitted item
 * replace it.
 */
export class ExportedTree {
  /** The articles that are not exported, with everything below them, in the order of the basket. */
  readonly leftOut: LeftOutArticle[] = [];
  private readonly basket;

  constructor(
    project: ProjectDocument,
    private readonly rules: ItemRules,
    private readonly positions: ReadonlyMap<string, string>,
    private readonly repairs: Repairs,
  ) {
    this.basket = nestedBasket(project);
  }

  nodes(): ExportedNode[] {
    return this.below(this.basket.top, { status: "active", factor: new Exact(1) }).nodes;
  }

  private below(items: readonly Item[], above: Above): Found {
    const found = items.map((item) => this.visit(item, above));
    return {
      nodes: found.flatMap(({ nodes }) => nodes),
      hasArticles: found.some(({ hasArticles }) => hasArticles),
    };
  }

  private visit(item: Item, above: Above): Found {
    if (item.type === "text") return this.text(item, above);
    if (item.type === "folder") return this.folder(item, above);
    const found = this.position(item, above);
    return { nodes: found, hasArticles: true };
  }

  private text(item: TextItem, above: Above): Found {
    const isExported = this.rules.texts && (hasText(item.text) || hasText(item.longText));
    return { nodes: isExported ? [this.node("text", item, above.status, [])] : [], hasArticles: false };
  }

  /** Texts of a folder are about its articles: if none of those is exported, the texts are not either. */
  private folder(item: Item, above: Above): Found {
    const { nodes, hasArticles } = this.below(this.basket.children(item), above);
    if (hasArticles && !nodes.some(holdsArticle)) return { nodes: [], hasArticles };
    if (nodes.length === 0 || !this.rules.folders) return { nodes, hasArticles };
    return { nodes: [this.node("folder", item, "active", nodes)], hasArticles };
  }

  private position(item: Item, above: Above): ExportedNode[] {
    if (!isPosition(item)) return [];
    const own = this.rules.ownStatus(item);
    const status = above.status === "active" ? own : above.status;
    const reason = this.rules.obstacle(item, status);
    if (reason !== undefined) {
      this.leaveOut(item, reason, true);
      return [];
    }
    const factor = above.factor.times(item.quantity.value);
    const { nodes, hasArticles } = this.below(this.basket.children(item), { status, factor });
    if (item.type === "setArticle") {
      if (!hasArticles) this.reportEmptySet(item);
      if (!nodes.some(holdsArticle)) return [];
      return this.rules.sets ? [this.node("set", item, status, nodes, factor)] : nodes;
    }
    const unwanted = this.rules.unwanted(item);
    if (unwanted !== undefined) {
      this.leaveOut(item, unwanted, false);
      return nodes.filter(({ kind }) => kind !== "text");
    }
    return [this.node("article", item, status, nodes, factor)];
  }

  private node(
    kind: ExportedNode["kind"],
    item: Item,
    status: ExportedNode["status"],
    children: ExportedNode[],
    total?: Exact,
  ): ExportedNode {
    const position = this.positions.get(item.id) ?? "";
    const quantity =
      total === undefined || !isPosition(item)
        ? undefined
        : {
            value: writtenQuantity(total, this.repairs.forItem({ id: item.id, position })),
            unit: item.quantity.unit,
          };
    return { kind, item, status, position, quantity, children };
  }

  /** Notes the article, and with `deep` those below it. */
  private leaveOut(item: Item, reason: LeftOutReason, deep: boolean): void {
    if (item.type === "article" || item.type === "userArticle")
      this.leftOut.push({ item, position: this.positions.get(item.id) ?? "", reason });
    if (deep) for (const child of this.basket.children(item)) this.leaveOut(child, reason, true);
  }

  private reportEmptySet({ id }: Item): void {
    const position = this.positions.get(id) ?? "";
    const change = "left out: a set without members";
    this.repairs.forItem({ id, position }).report({ field: "children", value: "", change });
  }
}

/** Whether the node or one of its descendants is an article. */
export function holdsArticle({ kind, children }: ExportedNode): boolean {
  return kind === "article" || children.some(holdsArticle);
}

/** An exported item, and its place in the document (OEX reference, sections 10, 11, 17). */
export interface SelectedItem {
  kind: "article" | "set" | "folder" | "text";
  item: Item;
  /** Six digits with leading zeros, in reading order. */
  itemNumber: string;
  /** The nearest exported ancestor: folder, set or main article. */
  parent: SelectedItem | undefined;
  /** The exported composite article that generated this one. */
  composite: SelectedItem | undefined;
  /** The exported item that this one is an alternative to, if known. */
  alternativeTo: SelectedItem | undefined;
  status: "active" | "alternative" | "optional";
  /** As displayed in the article list; empty for texts. */
  position: string;
  /** Total quantity in the document as a decimal text, including the quantities of sets and main articles. */
  quantity: { value: string; unit: string } | undefined;
}

// Rules for leaving out items of a project (OEX reference, sections 11 and 17).

/** The parts of the export context that the selection needs. */
export type SelectionContext = Pick<
  ExportContext,
  "project" | "configuration" | "format" | "procedure" | "repairs"
>;

/** The rules of one export. */
interface ItemRules {
  folders: boolean;
  sets: boolean;
  texts: boolean;
  /** Whether the numbers of parents and composites are written. */
  structure: boolean;
  /** Why an article is left out without its parts, which have their own manufacturers; undefined if it is not. */
  unwanted(item: Item): LeftOutReason | undefined;
  /** Why an item is left out with all descendants; undefined if it is not. `status`: with that of the items above. */
  obstacle(item: PositionItem, status: ItemStatus): LeftOutReason | undefined;
  /** Status of an item regardless of the items above. */
  ownStatus(item: Item): ItemStatus;
}

/** The rules for a configuration and format. */
export function itemRules({ configuration, format, procedure }: SelectionContext): ItemRules {
  const isOrder = format.type === "ORDERS";
  const knowsStructure = format.version !== "2.3";
  const { structuralInformation: structure, exportAlternativeArticles } = configuration;
  const chosen = chosenManufacturers(configuration);
  const wanted = chosen && new Set(chosen.ids);
  const ofOthers: LeftOutReason = {
    kind: "manufacturer",
    text: `of manufacturers that \`${chosen?.field ?? "manufacturerIds"}\` does not name`,
  };
  return {
    folders: configuration.exportFolders && structure && knowsStructure,
    sets: configuration.exportSetArticle && structure && knowsStructure,
    texts: configuration.exportTextArticles && knowsStructure,
    structure,
    unwanted: (item) =>
      wanted === undefined || wanted.has(manufacturerOf(item) ?? "") ? undefined : ofOthers,
    obstacle(item, status) {
      if ((isOrder ? item.nonOrder : item.nonOffer) === true) return excluded(isOrder);
      if (status !== "active" && (isOrder || !exportAlternativeArticles)) return inactive(status, isOrder);
      return isNegative(item) ? negative : undefined;
    },
    ownStatus: (item) => ownItemStatus(item, procedure.name),
  };
}

const negative: LeftOutReason = { kind: "quantity", text: "a document has no negative quantities" };

function excluded(isOrder: boolean): LeftOutReason {
  const text = isOrder
    ? "an order has no articles marked as not for orders"
    : "a quotation has no articles marked as not for quotations";
  return { kind: "document-type", text };
}

function inactive(status: Exclude<ItemStatus, "active">, isOrder: boolean): LeftOutReason {
  const what = status === "alternative" ? "alternatives" : "optional items";
  const text = isOrder ? `an order has no ${what}` : `\`exportAlternativeArticles\` excludes ${what}`;
  return { kind: "status", text };
}
