/** What holds for the orders of every export: valid, by all rules, and with the totals of the OEX document. */
import type { TestHost } from "@slipway/sdk/testing";
import { OexClient } from "./oex-client.js";
import { all, readXml, value, type XmlElement } from "./oex-document-tree.js";
import type { OrderCase } from "./order-projects.js";
import type { OrderKind, OrderSchema } from "./order-schemas.js";
import type { Json } from "./plugin-client.js";

/** Totals of an order. */
interface Totals {
  net: string;
  tax: string;
  gross: string;
}

/** What was made of a case. */
export interface CheckedCase {
  kinds: OrderKind[];
  /** Of the project's discounts, what an order tells. */
  changes: number;
  mistakes: string[];
}

/** Exports a project as all kinds of orders. The host's plugin has the setting `validate`. */
export async function checkCase(
  host: TestHost,
  { project, config }: OrderCase,
  schemas: ReadonlyMap<OrderKind, OrderSchema>,
): Promise<CheckedCase> {
  const client = new OexClient(host);
  const session = await client.open({ ...project }, "en_GB");
  const checked: CheckedCase = { kinds: [], changes: 0, mistakes: [] };
  for (const orderX of ["COMFORT", "EXTENDED"] as const) {
    const attachUBL = orderX === "COMFORT";
    const exported = await client.exported(session, { attachOBX: false, ...config, orderX, attachUBL });
    // The rules of OEX documents have tests of their own.
    const invalid = messagesOf(exported.errors, "oex-document-invalid", /^The (Order-X|Peppol)/);
    checked.mistakes.push(...invalid);
    const missing = exported.errors.filter(({ id }) => id === "oex-order-missing").length;
    const files = { [orderX]: exported.orderX, ...(attachUBL && { UBL: exported.ubl }) };
    const expected = documentTotals(readXml(exported.oex?.bytes ?? new Uint8Array()));
    let made = 0;
    for (const [kind, file] of Object.entries(files)) {
      if (file === undefined) continue;
      made += 1;
      const name = kind as OrderKind;
      checked.kinds.push(name);
      checked.mistakes.push(
        ...(schemas.get(name)?.findings(file.bytes) ?? []).map((each) => `${kind}: ${each}`),
      );
      const root = readXml(file.bytes);
      checked.changes += all(root, "ram:CategoryTradeTax").length;
      const totals = kind === "UBL" ? ublTotals(root) : orderXTotals(root);
      if (JSON.stringify(totals) !== JSON.stringify(expected))
        checked.mistakes.push(`${kind}: ${JSON.stringify(totals)}, OEX: ${JSON.stringify(expected)}`);
    }
    if (missing + made !== Object.keys(files).length)
      checked.mistakes.push(`${made} files and ${missing} reports of missing ones`);
  }
  return checked;
}

/** Of the area whose prices an order has. */
function documentTotals(document: XmlElement): Totals {
  const [header] = all(document, "docHeader");
  const lines = header === undefined ? [] : all(header, "hdrPricing");
  const ofArea = (area: string) =>
    lines.filter(
      (line) => line.children.find(({ name }) => name === "vConditionType")?.attributes["aCondArea"] === area,
    );
  const own = ofArea("P").length > 0 ? ofArea("P") : ofArea("S");
  const amounts = (type: string) =>
    own
      .filter((line) => value(line, "vConditionType") === type)
      .map((line) => value(line, "vConditionValue"));
  const tax = amounts("TTAX").reduce((sum, each) => sum + Math.round(Number(each) * 100), 0);
  return {
    net: amounts("TNEH")[0] ?? amounts("TNET")[0] ?? "",
    tax: (tax / 100).toFixed(2),
    gross: amounts("TOTL")[0] ?? "",
  };
}

function orderXTotals(root: XmlElement): Totals {
  const [sums] = all(root, "ram:SpecifiedTradeSettlementHeaderMonetarySummation");
  const of = (name: string): string => (sums === undefined ? "" : value(sums, `ram:${name}`));
  return {
    net: of("TaxBasisTotalAmount"),
    tax: of("TaxTotalAmount") || "0.00",
    gross: of("GrandTotalAmount"),
  };
}

function ublTotals(root: XmlElement): Totals {
  const [sums] = all(root, "cac:AnticipatedMonetaryTotal");
  const [tax] = all(root, "cac:TaxTotal");
  const of = (name: string): string => (sums === undefined ? "" : value(sums, `cbc:${name}`));
  return {
    net: of("TaxExclusiveAmount"),
    tax: tax === undefined ? "0.00" : value(tax, "cbc:TaxAmount"),
    gross: of("TaxInclusiveAmount"),
  };
}

/** Messages and causes of the suppressed errors with an id. */
export function messagesOf(errors: readonly Json[], id: string, message = /(?:)/): string[] {
  return errors
    .filter((error) => error["id"] === id && message.test(String(error["message"])))
    .map((error) => [error["message"], ...listOfTexts(error["cause"])].join(" "));
}

function listOfTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** What was made of many cases: orders by kind, and the first mistakes with the numbers of their cases. */
export async function checkCases(
  host: TestHost,
  cases: readonly OrderCase[],
  schemas: ReadonlyMap<OrderKind, OrderSchema>,
): Promise<{ made: Map<OrderKind, number>; changes: number; mistakes: string[] }> {
  const made = new Map<OrderKind, number>();
  const mistakes: string[] = [];
  let changes = 0;
  for (const [index, given] of cases.entries()) {
    const checked = await checkCase(host, given, schemas);
    for (const kind of checked.kinds) made.set(kind, (made.get(kind) ?? 0) + 1);
    changes += checked.changes;
    mistakes.push(...checked.mistakes.map((mistake) => `case ${index}: ${mistake}`));
  }
  return { made, changes, mistakes: mistakes.slice(0, 50) };
}
