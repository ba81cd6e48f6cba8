/** An order in the terms of general trade, from the OEX document of an export and the project. */
import {
  chooseText,
  Exact,
  isPosition,
  itemIndex,
  labelLanguages,
  manufacturerNames,
  present,
} from "@slipway/sdk";
import { chosenAddresses } from "../addresses/chosen-addresses.js";
import type { ExportContext } from "../context/export-context.js";
import type {
  AddressCode,
  OexAddress,
  OexDate,
  OexHeader,
  OexItem,
  PriceArea,
  PricingLine,
  TextType,
} from "../document/oex-document.js";
import { readDelivery } from "../header/delivery.js";
import type { DocumentPricing } from "../pricing/document-pricing.js";
import { amountText } from "../pricing/pricing-lines.js";
import { oneLine } from "../repair/text-lines.js";
import type { SelectedItem } from "../selection/exported-tree.js";
import { headerTradeChanges, TradeTaxes } from "./trade-amounts.js";
import { textOf, tradeLines } from "./trade-lines.js";
import type {
  LocatedParty,
  Omissions,
  OrderTotals,
  TaxedChange,
  TradeNote,
  TradeOrder,
  TradeParty,
} from "./trade-order.js";
import { addressNames, locatedParty, partyIds } from "./trade-parties.js";

export interface TradeSource {
  context: ExportContext;
  /** Of the OEX document. */
  header: OexHeader;
  /** Articles come last. */
  items: AsyncIterable<OexItem>;
  selected: readonly SelectedItem[];
  pricing: DocumentPricing;
  omissions: Omissions;
}

/** The order cannot be expressed in general trade; `message` says why, as the end of a sentence. */
export class NoTradeOrder extends Error {
  override readonly name = "NoTradeOrder";
}

/** UNCL 4451 code of each text of the header. */
const subjects: readonly (readonly [TextType, TradeNote["subject"]])[] = [
  ["HEAD", "AAI"],
  ["ADAG", "AAJ"],
  ["DNOT", "DIN"],
];

const vendorUnknown = "0";

/**
 * The order as the OEX document states it: same numbers, dates, prices and totals. What it has no terms for is an omission.
 * @throws {NoTradeOrder} without a buyer, a seller or prices, and for a net total below zero
 */
export function createTradeOrder(source: TradeSource): TradeOrder {
  const { context, header, items, pricing, omissions } = source;
  const area = orderArea(header, omissions);
  const taxes = new TradeTaxes(pricing.taxes());
  const changes = headerTradeChanges(header.pricing, area, pricing.headerShares(area), taxes);
  const afterHeader = headerValue(header, area, "TNEH") !== undefined && !hasChanges(header, area);
  const totals = orderTotals(header, area, changes, afterHeader);
  omitHeader(header, omissions);
  const { project, locale } = context;
  const { language } = header;
  const lines = tradeLines(items, {
    project,
    locale,
    language,
    area,
    taxes,
    afterHeader,
    omissions,
  });
  const delivery = textOf(header.texts, "DCON", language);
  return present({
    number: header.number,
    issued: isoDay(header.dates.find(({ type }) => type === "ORD")?.value ?? ""),
    language: language.code,
    currency: header.currency,
    notes: subjects.flatMap(([type, subject]): TradeNote[] => {
      const text = textOf(header.texts, type, language);
      return text === undefined ? [] : [{ subject, text }];
    }),
    buyerReference: organisation(header, "COM"),
    quotation: header.documentNumbers.find(({ type }) => type === "QUO")?.number,
    contract: header.documentNumbers.find(({ type }) => type === "CON")?.number,
    project: projectOf(header, context),
    delivery: requestedDelivery(header.dates),
    deliveryTerms: delivery,
    partialDelivery: header.partialDelivery,
    ...orderParties(source),
    changes,
    taxes: taxes.totals(header.pricing, area),
    totals,
    lines,
  });
}

/** One price for each article: purchase where there are purchase prices. */
function orderArea(header: OexHeader, omissions: Omissions): PriceArea {
  const isStated = (area: PriceArea): boolean => headerValue(header, area, "TNET") !== undefined;
  if (isStated("P") && isStated("S")) omissions.add("sales prices beside purchase prices");
  if (isStated("P")) return "P";
  if (isStated("S")) return "S";
  throw new NoTradeOrder("the export has neither purchase nor sales prices");
}

function headerValue({ pricing }: OexHeader, area: PriceArea, type: PricingLine["type"]): string | undefined {
  return pricing.find((line) => line.area === area && line.type === type)?.value;
}

function hasChanges({ pricing }: OexHeader, area: PriceArea): boolean {
  return pricing.some((line) => line.area === area && (line.type === "DISH" || line.type === "SURH"));
}

function orderTotals(
  header: OexHeader,
  area: PriceArea,
  changes: readonly TaxedChange[],
  afterHeader: boolean,
): OrderTotals {
  const total = (type: PricingLine["type"]): Exact => new Exact(headerValue(header, area, type) ?? 0);
  const net = headerValue(header, area, "TNEH") === undefined ? total("TNET") : total("TNEH");
  const lines = afterHeader ? net : total("TNET");
  const sum = (isCharge: boolean): Exact =>
    changes.reduce((all, each) => (each.isCharge === isCharge ? all.plus(each.amount) : all), new Exact(0));
  const allowances = sum(false);
  const charges = sum(true);
  if (!lines.minus(allowances).plus(charges).eq(net))
    throw new NoTradeOrder(
      `the discounts of the order, ${amountText(allowances)}, lead from ${amountText(lines)} to less than nothing`,
    );
  const hasTax = header.pricing.some((line) => line.area === area && line.type === "TTAX");
  const gross = total("TOTL");
  return present({
    lines: amountText(lines),
    allowances: amountText(allowances),
    charges: amountText(charges),
    net: amountText(net),
    tax: hasTax ? amountText(gross.minus(net)) : undefined,
    gross: amountText(gross),
  });
}

type Parties = Pick<TradeOrder, "buyer" | "seller" | "shipTo" | "invoicee" | "endUser" | "installedAt">;

function orderParties(source: TradeSource): Parties {
  const { context, header, omissions } = source;
  const buyerCode = context.configuration.buyer === "Branch" ? "BR" : "SO";
  const used = new Set<AddressCode>([buyerCode, "SU", "SH", "IN", "EU", "IL"]);
  const address = (code: AddressCode): OexAddress | undefined =>
    header.addresses.find(({ type }) => type === code);
  const party = (code: AddressCode): LocatedParty | undefined => {
    const found = address(code);
    return found && locatedParty(found, omissions);
  };
  const buyer = party(buyerCode);
  if (buyer === undefined)
    throw new NoTradeOrder(`there is no complete ${addressNames[buyerCode]} address, which is the buyer's`);
  // The customer of a dealer is the end user, unless there is another one.
  if (buyerCode === "BR" && address("EU") === undefined) used.add("SO");
  for (const { type } of header.addresses)
    if (!used.has(type)) omissions.add(`the ${addressNames[type]} address`);
  return present({
    buyer: buyerCode === "SO" ? clientParty(buyer, header, omissions) : buyer,
    seller: sellerParty(source, party("SU")),
    shipTo: party("SH"),
    invoicee: party("IN"),
    endUser: party("EU") ?? (buyerCode === "BR" ? party("SO") : undefined),
    installedAt: party("IL"),
  });
}

/** The client's number and location number, which the request may name. */
function clientParty(buyer: LocatedParty, header: OexHeader, omissions: Omissions): LocatedParty {
  const { clientNumber } = header;
  const ids = partyIds(header.clientIds, omissions);
  return {
    ...buyer,
    ...(clientNumber !== vendorUnknown && { number: clientNumber }),
    ids: ids.length > 0 ? ids : buyer.ids,
  };
}

/** The supplier; without a complete address only its name, else that of the only manufacturer. */
function sellerParty(source: TradeSource, supplier: LocatedParty | undefined): TradeParty {
  const { context, header, omissions } = source;
  const { vendorNumber, supplierIds } = header;
  const name = supplier?.name ?? supplierName(context) ?? onlyManufacturer(source);
  if (name === undefined)
    throw new NoTradeOrder(
      "there is neither a Supplier address nor one manufacturer with a name, which would be the seller",
    );
  const ids = partyIds(supplierIds, omissions);
  return {
    ...(supplier ?? { ids: [], contacts: [] }),
    name,
    ...(vendorNumber !== vendorUnknown && { number: vendorNumber }),
    ids: ids.length > 0 ? ids : (supplier?.ids ?? []),
  };
}

function supplierName(context: ExportContext): string | undefined {
  const name = oneLine(
    chosenAddresses(context).get("Supplier")?.address.name1 ?? "",
    Number.POSITIVE_INFINITY,
  );
  return name === "" ? undefined : name;
}

function onlyManufacturer({ context, selected }: TradeSource): string | undefined {
  const { project, locale } = context;
  const languages = labelLanguages(project, locale);
  const names = new Set<string>();
  for (const { kind, item } of selected) {
    const found = itemIndex(project).get(item.id)?.item;
    if (kind !== "article" || found === undefined || !isPosition(found)) continue;
    names.add(
      oneLine(chooseText(manufacturerNames(project, found), languages).value, Number.POSITIVE_INFINITY),
    );
  }
  const [only] = names;
  return names.size === 1 && only !== "" ? only : undefined;
}

function omitHeader(header: OexHeader, omissions: Omissions): void {
  if (header.weights !== undefined || header.volume !== undefined) omissions.add("weights and volumes");
  if (header.orderType !== undefined) omissions.add("the type of the order");
  if (organisation(header, "SOR") !== undefined) omissions.add("the sales organisation");
  if (organisation(header, "SGR") !== undefined) omissions.add("the sales group");
  if (header.dates.some(({ type }) => type === "PRD")) omissions.add("the price date");
}

function organisation(header: OexHeader, type: "COM" | "PJN" | "SOR" | "SGR"): string | undefined {
  return header.organisation.find((each) => each.type === type)?.value;
}

/** Without a name, the number is the name. */
function projectOf(header: OexHeader, { project }: ExportContext): TradeOrder["project"] {
  const id = organisation(header, "PJN");
  if (id === undefined) return undefined;
  const name = oneLine(project.header.name ?? "", Number.POSITIVE_INFINITY);
  return { id, name: name === "" ? id : name };
}

const weekDays = 6;

function requestedDelivery(dates: readonly OexDate[]): TradeOrder["delivery"] {
  const date = dates.find(({ type }) => type === "CRD");
  const read = date && readDelivery(date.value);
  if (read?.kind === "day") return { first: isoDay(read.value), last: isoDay(read.value) };
  if (read?.kind !== "week") return undefined;
  const first = isoDay(read.monday);
  const last = new Date(`${first}T00:00:00Z`);
  last.setUTCDate(last.getUTCDate() + weekDays);
  return { first, last: last.toISOString().slice(0, 10) };
}

/** "20260511" as "2026-05-11". */
function isoDay(digits: string): string {
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}`;
}
