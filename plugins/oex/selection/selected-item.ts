import type { Item } from "@slipway/sdk";

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
