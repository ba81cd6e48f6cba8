/** What stands in an XML file, part by part, in a form in which files that say the same are the same. */
import { SaxesParser } from "saxes";

/** An element that can be changed. */
export interface Element {
  name: string;
  attributes: Map<string, string>;
  children: Element[];
  text: string;
}

/** The parts of a file as "path/@attribute = value" and "path = text", each with how often it occurs. */
export type Inventory = ReadonlyMap<string, number>;

/** The parts of a file. Order and white space between elements say nothing. */
export function inventoryOf(xml: string): Inventory {
  const features = new Map<string, Element>();
  const found = new Map<string, number>();
  const add = (part: string): void => void found.set(part, (found.get(part) ?? 0) + 1);
  const visit = (element: Element, above: string): void => {
    const path = `${above}/${element.name}`;
    const text = element.children.length === 0 ? element.text : element.text.trim();
    add(text === "" ? path : `${path} = ${canonical(text)}`);
    if (element.name === "feature") resolveTexts(element, features);
    for (const [name, value] of element.attributes) {
      if (element.name === "feature" && name === "id") continue;
      if (name === "lang" && ["", "und"].includes(value.trim())) continue;
      add(`${path}/@${name} = ${canonical(value)}`);
    }
    for (const child of element.children) visit(child, path);
  };
  visit(parseFile(xml), "");
  return found;
}

/** Texts that an earlier feature has stand for themselves; so does the number by which they are referred to. */
function resolveTexts(feature: Element, features: Map<string, Element>): void {
  for (const kind of ["nameText", "valueText", "descrText"]) {
    const reference = features.get(feature.attributes.get(kind) ?? "");
    feature.attributes.delete(kind);
    if (reference) feature.children.push(...reference.children.filter(({ name }) => name === kind));
  }
  features.set(feature.attributes.get("id") ?? "", feature);
}

/** "1." and "1.0" are numbers that files write for 1. */
function canonical(value: string): string {
  return /^-?\d+\.\d*$/.test(value) ? value.replace(/\.?0*$/, "") : value;
}

/** Parts of the first file that the second one does not have as often; paths without their values, each once. */
export function missingParts(first: Inventory, second: Inventory): string[] {
  const missing = [...first].filter(([part, count]) => (second.get(part) ?? 0) < count).map(([part]) => part);
  return [...new Set(missing.map((part) => part.replace(/ = [\s\S]*$/, "")))];
}

/** The text of a file. */
export function textOf({ name, attributes, children, text }: Element): string {
  const escaped = (value: string): string =>
    value.replace(/[&<>'\n]/g, (character) => `&#${character.charCodeAt(0)};`);
  const start = [...attributes].map(([key, value]) => ` ${key}='${escaped(value)}'`).join("");
  return `<${name}${start}>${escaped(children.length === 0 ? text : text.trim())}${children.map(textOf).join("")}</${name}>`;
}

/** The root element of a file. */
export function parseFile(xml: string): Element {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  const open: Element[] = [];
  let root: Element | undefined;
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes: new Map(Object.entries(attributes)), children: [], text: "" };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const append = (text: string): void => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on("text", append);
  parser.on("cdata", append);
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  if (!root) throw new Error("no root element");
  return root;
}
