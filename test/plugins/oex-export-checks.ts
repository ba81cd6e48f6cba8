/** What holds for every export, whatever the project: found out without any code of the plugin but its checker. */
import { Exact } from "@slipway/sdk";
import type { Test } from "tap";
import type { createOexChecker } from "./oex-checking-support.js";
import type { Exported } from "./oex-client.js";
import {
  articlesOf,
  elementsOf,
  headerOf,
  itemsOf,
  type PriceLine,
  priceLines,
  readXml,
  value,
  type XmlElement,
} from "./oex-document-tree.js";

/** The document of an export. */
export function readDocument({ oex }: Exported): XmlElement {
  if (oex === undefined) throw new Error("There is no document");
  return readXml(oex.bytes);
}

/** Kind and text of the references directly inside the header or an item. */
export function references(owner: XmlElement): [type: string, text: string][] {
  return owner.children
    .filter(({ name }) => name.endsWith("Reference"))
    .map((reference) => [value(reference, "vReferenceType"), value(reference, "vReferenceValue")]);
}

type OexChecker = Awaited<ReturnType<typeof createOexChecker>>;

/** Checks document and result; gives the document. */
export async function checkExport(t: Test, exported: Exported, checker: OexChecker): Promise<XmlElement> {
  const { json, oex } = exported;
  if (oex === undefined) throw new Error("There is no document");
  t.same(await checker.check(oex.bytes), [], "valid against schemas and rules");
  const document = readXml(oex.bytes);
  t.same(empties(document), [], "no empty element or attribute");
  const ids = itemsOf(document).map((item) => item.attributes["aUUID"]);
  const listed = Array.isArray(json["items"]) ? json["items"] : [];
  if (document.attributes["aMajor"] === "3") t.same([...listed].sort(), ids.sort(), "ids of all items");
  else t.equal(listed.length, ids.length, "as many ids as items");
  checkResult(t, exported);
  return document;
}

function empties(document: XmlElement): string[] {
  return [...elementsOf(document)].flatMap(({ name, attributes, children, text }) => [
    ...(children.length === 0 && text === "" && name !== "eAppVersion" ? [name] : []),
    ...Object.entries(attributes).flatMap(([attribute, value]) =>
      value === "" ? [`${name}/@${attribute}`] : [],
    ),
  ]);
}

/** Interface document, section 2.8. */
function checkResult(t: Test, { json, oex, obx, pdf, archive }: Exported): void {
  const name = String(json["name"]);
  t.match(name, /^oex-(orders|quotes)_[A-Za-z0-9-]{1,20}_\d{8}-\d{6}$/);
  t.equal(json["url"], oex?.url);
  const files = { xml: oex, obx, pdf, zip: archive };
  for (const [extension, file] of Object.entries(files)) {
    if (file === undefined) continue;
    t.equal(file.name, `${name}.${extension}`);
    t.equal(new URL(file.url).pathname.split("/").at(-1), file.name);
  }
  const known = new Set(["name", "url", "archive", "oex", "obx", "pdf", "items", "errors"]);
  t.same(
    Object.keys(json).filter((member) => !known.has(member)),
    [],
  );
}

/** Lines of one area by type, the first of each; amounts as they are written. */
export function amounts(lines: readonly PriceLine[], area: string): Map<string, string> {
  const own = lines.filter((line) => line.area === area);
  return new Map([...own].reverse().map(({ type, value }) => [type, value]));
}

/** OEX reference, sections 15.3 and 21, 14 and 15: sums and references of the header. */
export function checkTotals(t: Test, document: XmlElement): void {
  const header = priceLines(headerOf(document));
  const counted = articlesOf(document).filter(
    ({ attributes }) => (attributes["aItemType"] ?? attributes["aItemTypeVendor"]) === undefined,
  );
  for (const area of new Set(header.map((line) => line.area))) {
    const own = amounts(header, area);
    const articles = counted.map((article) => amounts(priceLines(article), area).get("TNET") ?? "nothing");
    t.equal(own.get("TNET"), sum(articles), `area ${area}: TNET is that of all articles`);
    const taxes = header.filter((line) => line.area === area && line.type === "TTAX");
    const net = own.get("TNEH") ?? own.get("TNET") ?? "nothing";
    t.equal(own.get("TOTL"), sum([net, ...taxes.map(({ value }) => value)]), `area ${area}: TOTL adds up`);
    const taxed = header.filter((line) => line.area === area && line.type === "TTNE");
    if (taxed.length > 0) t.equal(sum(taxed.map(({ value }) => value)), net, `area ${area}: all is taxed`);
  }
  for (const owner of [headerOf(document), ...articlesOf(document)]) {
    const lines = priceLines(owner);
    for (const { type, base, taxCode, area } of lines) {
      if (type !== "TTAX") continue;
      const {
        type: baseType,
        taxCode: baseCode,
        area: baseArea,
      } = lines.find(({ number }) => number === base) ?? {};
      t.same([baseType, baseCode, baseArea], ["TTNE", taxCode, area], "a tax refers to its net amount");
    }
  }
}

function sum(values: readonly string[]): string {
  return values.reduce((total, value) => total.plus(value), new Exact(0)).toFixed(2);
}
