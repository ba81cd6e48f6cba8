/** The items of one document, one after the other. */
import type { XmlAttributes, XmlWriter } from "@slipway/sdk";
import type { OexItem } from "../document/oex-document.js";
import { checkItem } from "./format-limits.js";
import type { FormatNames } from "./format-names.js";
import { demanded } from "./values.js";
import { writeArticle } from "./write-article.js";
import { writeFolder, writeSet, writeTextItem } from "./write-structure.js";

/** Articles come first, then sets, folders, texts (OEX reference, section 3). */
const ranks: Record<OexItem["kind"], number> = { article: 0, set: 1, folder: 2, text: 3 };

/** Numbers the items that it writes. */
export class ItemSequence {
  readonly #names: FormatNames;
  #count = 0;
  #rank = 0;

  constructor(names: FormatNames) {
    this.#names = names;
  }

  /** Writes the next item; throws when the format has no such item, or not at this place. */
  write(writer: XmlWriter, item: OexItem): void {
    const rank = ranks[item.kind];
    if (rank < this.#rank)
      throw new Error(`the ${item.kind} ${item.itemNumber} comes too late in the OEX document`);
    if (this.#count === 0 && rank > 0) throw new Error("the OEX document has no articles");
    this.#rank = rank;
    this.#count += 1;
    checkItem(item, this.#names.format);
    const attributes = this.#attributes(item);
    switch (item.kind) {
      case "article":
        writeArticle(writer, this.#names, item, attributes);
        break;
      case "set":
        writeSet(writer, this.#names, item, attributes);
        break;
      case "folder":
        writeFolder(writer, this.#names, item, attributes);
        break;
      case "text":
        writeTextItem(writer, this.#names, item, attributes);
        break;
    }
  }

  /** Throws when the items were not as many as the document told before them. */
  end(told: number): void {
    if (told === 0) throw new Error("the OEX document has no items");
    if (this.#count !== told) throw new Error(`the OEX document tells ${told} items and has ${this.#count}`);
  }

  #attributes(item: OexItem): XmlAttributes {
    const names = this.#names;
    const id = names.itemsHaveId ? demanded("aUUID", item.id) : undefined;
    const attributes = { aItemNo: this.#count, aAction: "C", aUUID: id };
    const type = "itemType" in item ? item.itemType : undefined;
    return type === undefined ? attributes : { ...attributes, [names.itemType]: type };
  }
}
