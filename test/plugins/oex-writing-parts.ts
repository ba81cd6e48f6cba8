/** Small parts of descriptions of OEX documents. Uses the part itself, for the types of what its writer takes. */
import type { OexArticle, OexText, TextType } from "../../plugins/oex/document/oex-document.js";

/** What is hard to write, all in one line of a text. */
export const hardText = "]]> &lt; &amp; &nbsp; <b> \"'  🪑 \u200fשולחן\u200e 家 é";

/** UUID of an item. */
export function id(number: number): string {
  return `5e11a0f2-4c1e-4f6a-9b3d-${String(number).padStart(12, "0")}`;
}

/** The smallest article that there is. */
export function plainArticle(number: number): OexArticle {
  return {
    kind: "article",
    id: id(number),
    itemNumber: String(number).padStart(6, "0"),
    pseudo: false,
    articleNumber: "ST-220",
    status: "O",
    vendor: "FHM",
    series: "ST2",
    quantity: "1.000",
    unit: "C62",
    classifications: [],
    configurations: [],
    organisation: [],
    texts: [oneLineText("ARTS", "Stuhl")],
    references: [],
    pricing: [],
  };
}

/** A text of one line in the language of the document. */
export function oneLineText(type: TextType, text: string): OexText {
  return { type, language: { code: "de" }, lines: [{ format: "\\", text }] };
}
