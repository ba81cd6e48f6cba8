/** Collects the parts of a file that are kept unchanged. */
import type { KeptParts } from "../../project/document.js";
import { xmlNamePattern } from "../../project/values.js";
import { isOpaque, itemElements, treatmentOf, usualValues } from "./format/project-format.js";
import { isUnread, type KeptContent, type KeptTree, listOf, priceElement } from "./kept-tree.js";
import { ifAny, present } from "./present.js";
import { type KeptAmount, type ReadContext, warn } from "./read-context.js";
import { chosenPrices } from "./read-prices.js";
import { plainName } from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** Limits per item, view or procedure, and per file. Real files contain far less. */
const limits = {
  depth: 20,
  elements: 5_000,
  characters: 200_000,
  fileElements: 500_000,
  fileCharacters: 20_000_000,
};

const xmlName = new RegExp(xmlNamePattern, "u");

/**
 * The kept parts of an element: those that the format tables mark as kept, and, in items, unknown ones.
 * Nested items, views and calculations are read separately. Parts that are too large or cannot be written
 * back produce a warning.
 */
export function keptParts(element: XmlElement, context: ReadContext): KeptParts | undefined {
  const reading = new KeptReading(context, itemElements.has(plainName(element.name)));
  const { attributes, elements } = reading.partsOf(element);
  if (attributes === undefined && elements.length === 0) return undefined;
  return present({ attributes, elements: ifAny(listOf(elements)) });
}

/** Facts that depend on the siblings of an element. */
interface Siblings {
  /** The prices that are read; the others are kept. */
  chosen: readonly XmlElement[];
  /** Chosen prices that have alternatives; the alternatives are valid only as long as these prices are. */
  replaced: readonly XmlElement[];
  /** Whether the marks of descriptions are read as a mode. */
  hasMode: boolean;
}

const alone: Siblings = { chosen: [], replaced: [], hasMode: false };

class KeptReading {
  private readonly amount: KeptAmount = { elements: 0, characters: 0 };

  constructor(
    private readonly context: ReadContext,
    /** Whether unknown parts are kept too. */
    private readonly inItem: boolean,
  ) {}

  partsOf(element: XmlElement, siblings: Siblings = alone): KeptContent {
    const name = plainName(element.name);
    if (isOpaque(name)) return { elements: [] };
    const attributes = [...element.attributes].filter(([attribute, value]) =>
      this.isKeptAttribute(element, attribute, value, siblings),
    );
    const chosen = name === "bskArticle" || name === "usrArticle" ? chosenPrices(element) : [];
    const others = element.children.filter((child) => child.name === priceElement && !chosen.includes(child));
    const replaced = chosen.filter((price) =>
      others.some((other) => other.attributes.get("type") === price.attributes.get("type")),
    );
    const hasMode = this.inItem && element.children.some(marksShortText);
    const elements = element.children.flatMap((child) =>
      this.partOf(child, name, { chosen, replaced, hasMode }),
    );
    return present({
      attributes: this.admit(element, attributes.length === 0 ? undefined : Object.fromEntries(attributes)),
      elements: inWrittenOrder(elements),
    });
  }

  private isKeptAttribute(
    element: XmlElement,
    attribute: string,
    value: string,
    siblings: Siblings,
  ): boolean {
    const name = plainName(element.name);
    if (name === "description" && attribute === "default") return !siblings.hasMode;
    const treatment = treatmentOf(name, `@${attribute}`) ?? (this.inItem ? "kept" : "skipped");
    if (treatment !== "kept" || usualValues.get(`${name}@${attribute}`) === value) return false;
    return this.isWritable(element, attribute);
  }

  private partOf(child: XmlElement, parent: string, siblings: Siblings): KeptTree[] {
    const name = plainName(child.name);
    if (itemElements.has(name) || name === "view" || name === "docCalculation") return [];
    const treatment = treatmentOf(parent, name) ?? (this.inItem ? "kept" : "skipped");
    if (treatment === "skipped" || saysNothing(child)) return [];
    if (treatment === "kept" || this.isWhole(child, name, siblings)) return this.whole(child, 1);
    const parts = this.partsOf(child, siblings);
    const anchors = siblings.replaced.includes(child);
    return parts.attributes || parts.elements.length > 0 || anchors
      ? [{ name: child.name, of: identityOf(child), ...parts }]
      : [];
  }

  private isWhole(child: XmlElement, name: string, { chosen }: Siblings): boolean {
    if (name === priceElement) return !chosen.includes(child);
    return isUnread(name, Object.fromEntries(child.attributes));
  }

  private whole(element: XmlElement, depth: number): KeptTree[] {
    if (depth > limits.depth) {
      warn(this.context, element, `skipped: no more than ${limits.depth} levels of such elements are kept`);
      return [];
    }
    if (!this.isWritableElement(element)) return [];
    const attributes = [...element.attributes].filter(([attribute]) => this.isWritable(element, attribute));
    const text = element.children.length === 0 ? element.text : "";
    if (text === "" && element.text.trim() !== "")
      warn(this.context, element, "skipped: text beside elements is not kept");
    const admitted = this.admit(element, Object.fromEntries(attributes), text);
    if (admitted === undefined) return [];
    const elements = element.children.flatMap((child) => this.whole(child, depth + 1));
    return [
      present({
        name: element.name,
        attributes: attributes.length === 0 ? undefined : admitted,
        text: text === "" ? undefined : text,
        elements,
      }),
    ];
  }

  /** Programs that search for items would take an item inside an unknown element for an additional item. */
  private isWritableElement(element: XmlElement): boolean {
    const isItem = itemElements.has(plainName(element.name)) || element.attributes.has("basketId");
    if (xmlName.test(element.name) && !isItem) return true;
    warn(
      this.context,
      element,
      isItem
        ? "skipped: an item inside an element that is not known"
        : "skipped: a name with a prefix is not kept",
    );
    return false;
  }

  private isWritable(element: XmlElement, attribute: string): boolean {
    if (xmlName.test(attribute) && attribute !== "xmlns") return true;
    if (!attribute.startsWith("xmlns") && !attribute.startsWith("xsi:"))
      this.context.warnings.add(
        `${element.path}/@${attribute}`,
        "skipped: a name with a prefix is not kept",
        element.line,
      );
    return false;
  }

  /** The attributes, if they and `text` are within the limits. */
  private admit(
    element: XmlElement,
    attributes: Record<string, string> | undefined,
    text = "",
  ): Record<string, string> | undefined {
    if (attributes === undefined) return undefined;
    const values = [text, ...Object.entries(attributes).flat()];
    const characters = values.reduce((sum, value) => sum + value.length, 0);
    const file = this.context.kept;
    for (const amount of [this.amount, file]) {
      amount.elements += 1;
      amount.characters += characters;
    }
    const { elements, fileElements, fileCharacters } = limits;
    const isOver =
      this.amount.elements > elements ||
      this.amount.characters > limits.characters ||
      file.elements > fileElements ||
      file.characters > fileCharacters;
    if (!isOver) return attributes;
    warn(this.context, element, "skipped: more than is kept of one item or of one file");
    return undefined;
  }
}

/** Elements that are written identically for every project. */
function saysNothing({ name, attributes, children }: XmlElement): boolean {
  if (name === "persistentURIs") return attributes.size + children.length === 0;
  return name === "accessMethod" && attributes.size === 1 && attributes.has("name");
}

/** With this mark, the mode determines the marks of all descriptions. */
function marksShortText({ name, attributes }: XmlElement): boolean {
  return name === "description" && attributes.get("type") === "short" && attributes.get("default") === "1";
}

const identifying = [
  "id",
  "type",
  "name",
  "key",
  "number",
  "counter",
  "columnId",
  "tag",
  "currency",
  "value",
  "system",
  "classId",
];
/** Writers do not keep these ids. */
const numbered = new Set(["feature", "condRecord", "condGroup"]);

/**
 * Sorts parts of elements that the document writes before whole elements, as in a file written from them;
 * among elements of one name, the most specifically identified ones come first.
 */
function inWrittenOrder(elements: readonly KeptTree[]): KeptTree[] {
  const ofDocument = elements.flatMap((element) => {
    const { name, of } = element;
    return of === undefined ? [] : [{ element, name, said: Object.entries(of) }];
  });
  ofDocument.sort(
    (first, second) =>
      compare(first.name, second.name) ||
      second.said.length - first.said.length ||
      compare(String(first.said), String(second.said)),
  );
  return [
    ...ofDocument.map(({ element }) => element),
    ...elements.filter((element) => element.of === undefined),
  ];
}

function compare(first: string, second: string): number {
  return first < second ? -1 : Number(first > second);
}

/** The attributes that distinguish an element from others of its name. */
function identityOf(element: XmlElement): Record<string, string> {
  const names = identifying.filter((name) => name !== "id" || !numbered.has(plainName(element.name)));
  const present = names.flatMap((name): [string, string][] => {
    const value = element.attributes.get(name);
    return value === undefined || treatmentOf(plainName(element.name), `@${name}`) !== "read"
      ? []
      : [[name, value]];
  });
  return Object.fromEntries(present);
}
