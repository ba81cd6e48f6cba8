/**
 * An export as a set of lines, so that two of them can be compared. Items have names instead of numbers, and what
 * depends on the time of the export is replaced.
 */
import { type Item, isPosition, itemIndex, readObx } from "@slipway/sdk";
import { archiveEntries, type Exported } from "./oex-client.js";
import { all, headerOf, itemsOf, readXml, value, type XmlElement } from "./oex-document-tree.js";

/** Paths such as "chair/itmText[ARTL,de]/vTextContent[2]" with their values. */
export type Lines = ReadonlyMap<string, string>;

/** Lines of the first export that the second one does not have, as "path=value"; of an embedded OBX only its begin. */
export function onlyIn(lines: Lines, others: Lines): string[] {
  return [...lines]
    .filter(([path, text]) => others.get(path) !== text)
    .map(([path, text]) => `${path}=${text.replace(/^(<cutBuffer>).*/s, "$1…")}`);
}

/** Names of the files, content of the OBX and lines of the document; `names` are those of the items by their ids. */
export async function exportLines(exported: Exported, names: ReadonlyMap<string, string>): Promise<Lines> {
  const { json, archive, oex, obx, pdf, errors } = exported;
  const lines = new Map<string, string>();
  lines.set("name", withoutTime(String(json["name"])));
  for (const [kind, file] of Object.entries({ oex, obx, pdf, archive }))
    if (file !== undefined) lines.set(kind, withoutTime(file.name));
  if (json["url"] !== undefined)
    lines.set("url", json["url"] === oex?.url ? "of the oex" : "of something else");
  const entries = [...(await archiveEntries(archive.bytes)).keys()];
  lines.set("archive holds", entries.map(withoutTime).join(", "));
  for (const { message } of errors) lines.set(`error ${message}`, "reported");
  if (obx !== undefined) await addObxLines(lines, obx.bytes, names);
  if (oex === undefined) return lines;
  return new Map([...lines, ...documentLines(readXml(oex.bytes), names)]);
}

async function addObxLines(
  lines: Map<string, string>,
  obx: Uint8Array,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  const nameOf = (item: Item) => names.get(item.id) ?? item.id;
  const { project } = await readObx(obx);
  for (const { item, parent } of itemIndex(project).values()) {
    const quantity = isPosition(item) ? `${item.quantity.value} ` : "";
    const place = parent === undefined ? "" : ` in ${nameOf(parent)}`;
    lines.set(`obx ${nameOf(item)}`, `${quantity}${item.type}${place}`);
  }
}

/** Names of the items by their numbers, and so in the order in which a reader sees them. */
export function readingOrder(document: XmlElement, names: ReadonlyMap<string, string>): Map<string, string> {
  const numbered = itemsOf(document).map((item): [string, string] => {
    const name = names.get(item.attributes["aUUID"] ?? "");
    if (name === undefined) throw new Error(`An item has the unknown id ${item.attributes["aUUID"]}`);
    return [value(item, "vOrderItemNumber") || value(item, "vQuoteItemNumber"), name];
  });
  return new Map(numbered.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function documentLines(document: XmlElement, names: ReadonlyMap<string, string>): Lines {
  const writer = new LineWriter(readingOrder(document, names));
  for (const name of ["oexDocFrame", "oexFile", "oexDocument"])
    for (const element of all(document, name)) writer.add(name, { ...element, children: [] });
  for (const name of ["oexApplication", "vDocumentType"])
    for (const element of all(document, name)) writer.add(name, element);
  writer.add("header", headerOf(document));
  for (const item of itemsOf(document)) {
    const name = names.get(item.attributes["aUUID"] ?? "") ?? "";
    writer.set(name, item.name);
    writer.add(name, item);
  }
  return writer.lines;
}

/** Children that tell a frame from others of its name. */
const keys = new Map(
  Object.entries({
    DocNo: ["vDocNoType"],
    DateTime: ["vDateTimeType"],
    OrgData: ["vOrgDataType"],
    Address: ["vAddressType"],
    Com: ["vComType"],
    Contact: ["vContactType", "vLastName"],
    Text: ["vTextType", "vTextLanguage"],
    Reference: ["vReferenceType", "vReferenceDesc"],
    Configuration: ["vOptionID"],
    ConfigText: ["vTextLanguage"],
  }),
);
/** Told by names and order; `aLineFormat` stands before its line. */
const unshown = new Set(["aItemNo", "aCondNo", "aItemCount", "aTextLineNo", "aUUID", "aLineFormat"]);
const itemReference = /^v(Order|Quote)(TopLevelNo|ComposNo|AlterNo)$/;

class LineWriter {
  readonly lines = new Map<string, string>();

  constructor(private readonly items: ReadonlyMap<string, string>) {}

  set(path: string, text: string): void {
    if (this.lines.has(path)) throw new Error(`There are two lines ${path}`);
    this.lines.set(path, text);
  }

  /** The attributes of an element, its text and everything below it. */
  add(path: string, element: XmlElement): void {
    const shown = Object.entries(element.attributes).filter(([name]) => !unshown.has(name));
    for (const [name, text] of shown) this.set(`${path}/@${name}`, text);
    if (element.children.length === 0 && element.text !== "") this.set(path, this.text(path, element));
    const isKey = new Set(keysOf(element));
    const prices = new Map<string, string>();
    for (const child of element.children) {
      if (isKey.has(child.name) || /^v(Order|Quote)ItemNumber$/.test(child.name)) continue;
      if (child.name.endsWith("Pricing")) this.addPrice(path, child, prices);
      else this.add(`${path}/${child.name}${keyOf(child)}`, child);
    }
  }

  private text(path: string, { name, text, attributes }: XmlElement): string {
    if (/DateTime\[DOC\]\/v(Date|Time)Value$/.test(path)) return "now";
    if (itemReference.test(name)) return this.items.get(text) ?? `the unknown item ${text}`;
    return `${attributes["aLineFormat"] ?? ""}${withoutTime(text)}`;
  }

  /** One line, with the line that is its base by its name; `earlier` are the names of those before it. */
  private addPrice(path: string, line: XmlElement, earlier: Map<string, string>): void {
    const [type, amount, ...rest] = line.children;
    const { aCondArea, aCondRef, aCondSign, aTypeDis, aTypeSur, aTaxCode, ...others } =
      type?.attributes ?? {};
    const name = [aCondArea, type?.text, aTypeDis ?? aTypeSur ?? aTaxCode].filter(Boolean).join(" ");
    const base =
      aCondRef === undefined ? [] : [`of ${earlier.get(aCondRef) ?? `the unknown line ${aCondRef}`}`];
    earlier.set(line.attributes["aCondNo"] ?? "", name);
    const texts = rest.map((child) => child.text + (child.name === "vConditionRate" ? " %" : ""));
    const more = [...texts, ...base, ...Object.values(others)];
    this.set(`${path}/${line.name}[${name}]`, [`${aCondSign ?? ""}${amount?.text}`, ...more].join(" "));
  }
}

function keysOf({ name }: XmlElement): string[] {
  return keys.get(name.replace(/^(hdr|itm)(?=[A-Z])/, "")) ?? [];
}

function keyOf(element: XmlElement): string {
  const counter = element.attributes["aTextLineNo"];
  if (counter !== undefined) return `[${counter}]`;
  const parts = keysOf(element).flatMap((name) =>
    element.children
      .filter((child) => child.name === name)
      .map(({ text, attributes }) => [text, ...Object.values(attributes)].join(" ")),
  );
  return parts.length === 0 ? "" : `[${parts.join(",")}]`;
}

function withoutTime(text: string): string {
  return text.replace(/_\d{8}-\d{6}(?=\.|$)/, "_<time>");
}
