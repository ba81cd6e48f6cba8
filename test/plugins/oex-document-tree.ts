/** Reads OEX documents as trees, without any code of the plugin. */
import { SaxesParser } from "saxes";

/** An element as it was read. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** Directly inside. */
  text: string;
  /** Sections of CDATA directly inside. */
  sections: number;
}

/** The root element; throws where the bytes are not well-formed XML in UTF-8. */
export function readXml(bytes: Uint8Array): XmlElement {
  const top: XmlElement = { name: "", attributes: {}, children: [], text: "", sections: 0 };
  const open = [top];
  const last = () => open.at(-1) ?? top;
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes, children: [], text: "", sections: 0 };
    last().children.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    last().text += text;
  });
  parser.on("cdata", (text) => {
    last().text += text;
    last().sections += 1;
  });
  parser.on("closetag", () => open.pop());
  parser.write(new TextDecoder("utf-8", { fatal: true }).decode(bytes)).close();
  const [root] = top.children;
  if (root === undefined) throw new Error("There is no element");
  return root;
}

/** The element and everything below it, in document order. */
export function* elementsOf(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.children) yield* elementsOf(child);
}

/** All elements with the name, anywhere below. */
export function all(element: XmlElement, name: string): XmlElement[] {
  return [...elementsOf(element)].filter((each) => each.name === name);
}

/** Text of the first child with the name; empty where there is none. */
export function value(element: XmlElement, name: string): string {
  return element.children.find((child) => child.name === name)?.text ?? "";
}

/** A line of prices, of an item or of the header. */
export interface PriceLine {
  number: string;
  type: string;
  area: string;
  /** Number of the line that is its base. */
  base: string | undefined;
  taxCode: string | undefined;
  kind: string | undefined;
  value: string;
  rate: string;
  currency: string;
}

/** The price lines directly inside of an item or the header. */
export function priceLines(owner: XmlElement): PriceLine[] {
  return owner.children
    .filter(({ name }) => name === "hdrPricing" || name === "itmPricing")
    .map((line) => {
      const type = line.children.find(({ name }) => name === "vConditionType");
      const { aCondArea = "", aCondRef: base, aTaxCode: taxCode } = type?.attributes ?? {};
      return {
        number: line.attributes["aCondNo"] ?? "",
        type: type?.text ?? "",
        area: aCondArea,
        base,
        taxCode,
        kind: type?.attributes["aTypeDis"] ?? type?.attributes["aTypeSur"],
        value: value(line, "vConditionValue"),
        rate: value(line, "vConditionRate"),
        currency: value(line, "vCondCurrency"),
      };
    });
}

/** Articles, sets, folders and texts of a document, in its order. */
export function itemsOf(document: XmlElement): XmlElement[] {
  return [...elementsOf(document)].filter(({ name }) => /^doc(Article|Set|Folder|Text)?Item$/.test(name));
}

/** `docArticleItem`, or `docItem` of version 2.3. */
export function articlesOf(document: XmlElement): XmlElement[] {
  return itemsOf(document).filter(({ name }) => name === "docArticleItem" || name === "docItem");
}

export function headerOf(document: XmlElement): XmlElement {
  const [header] = all(document, "docHeader");
  if (header === undefined) throw new Error("The document has no header");
  return header;
}
