/** Writes orders of Peppol BIS Order 3 (UBL 2.1) of any size. */
import { StreamingXmlWriter, type XmlAttributes } from "@slipway/sdk";
import { NoTradeOrder } from "../trade/create-trade-order.js";
import { prefixedVatNumber, vatScheme } from "../trade/trade-codes.js";
import type {
  LocatedParty,
  Omissions,
  PartyId,
  TaxedChange,
  TradeOrder,
  TradeParty,
} from "../trade/trade-order.js";
import { optional, pieceLength, wrapped, writeElements, type XmlElement } from "../writing/values.js";
import { taxCategory, ublLine } from "./ubl-line.js";
import { customization, orderTypeCode, profile } from "./ubl-names.js";
import { deliveryParty, ublAddress, ublParty } from "./ubl-party.js";

const namespaces: XmlAttributes = {
  xmlns: "urn:oasis:names:specification:ubl:schema:xsd:Order-2",
  "xmlns:cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
  "xmlns:cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
};

/** Configured electronic addresses, each with its scheme: "0088:4012345000009". */
export interface Endpoints {
  buyer: string | undefined;
  seller: string | undefined;
}

/** An order whose parties have what Peppol asks for. */
export interface DeliverableOrder {
  order: TradeOrder;
  seller: LocatedParty;
  buyerEndpoint: PartyId;
  sellerEndpoint: PartyId;
}

/** @throws {NoTradeOrder} if the seller has no address, or one of the parties no electronic address */
export function deliverableOrder(order: TradeOrder, endpoints: Endpoints): DeliverableOrder {
  const { buyer, seller } = order;
  const { address } = seller;
  if (address === undefined) throw new NoTradeOrder("there is no complete Supplier address, which is due");
  return {
    order,
    seller: { ...seller, address },
    buyerEndpoint: endpoint(buyer, endpoints.buyer, "buyer"),
    sellerEndpoint: endpoint(seller, endpoints.seller, "seller"),
  };
}

function endpoint(party: TradeParty, configured: string | undefined, role: "buyer" | "seller"): PartyId {
  const found = endpointOf(party, configured);
  if (found !== undefined) return found;
  throw new NoTradeOrder(
    `the ${role} has no electronic address; it needs a GLN, a value added tax number with the prefix of a country, or ${role}Endpoint`,
  );
}

/** ISO 6523 scheme of GLNs. */
const locationNumbers = "0088";

/**
 * The electronic address to which Peppol delivers: the configured one ("0088:4012345000009"), else the GLN of the party, else
 * its value added tax number in the scheme of its country; undefined if it has none of them.
 */
function endpointOf(party: TradeParty, configured: string | undefined): PartyId | undefined {
  if (configured !== undefined) {
    const at = configured.indexOf(":");
    return { scheme: configured.slice(0, at), value: configured.slice(at + 1) };
  }
  const location = party.ids.find(({ scheme }) => scheme === locationNumbers);
  if (location !== undefined) return location;
  const value = prefixedVatNumber(party.vatNumber ?? "");
  const scheme = value && vatScheme(value);
  return value === undefined || scheme === undefined ? undefined : { scheme, value };
}

/** The file in pieces. Lines are read while they are written; errors of their source are passed on. */
export async function* writeUblOrder(
  deliverable: DeliverableOrder,
  omissions: Omissions,
): AsyncGenerator<string> {
  const { order } = deliverable;
  const { currency, partialDelivery } = order;
  const writer = new StreamingXmlWriter({ declaration: true });
  writer.open("Order", namespaces);
  writeElements(writer, [
    ...identity(order),
    ...parties(deliverable, omissions),
    ...delivery(order, omissions),
    ...amounts(order),
  ]);
  for await (const line of order.lines) {
    writeElements(writer, [ublLine(line, { currency, partialDelivery, omissions })]);
    if (writer.length >= pieceLength) yield writer.take();
  }
  writer.close();
  yield writer.take();
}

function identity(order: TradeOrder): XmlElement[] {
  const note = order.notes.map(({ text }) => text).join("\n");
  return [
    ["cbc:CustomizationID", customization],
    ["cbc:ProfileID", profile],
    ["cbc:ID", order.number],
    ["cbc:IssueDate", order.issued],
    ["cbc:OrderTypeCode", orderTypeCode],
    optional("cbc:Note", note),
    ["cbc:DocumentCurrencyCode", order.currency],
    optional("cbc:CustomerReference", order.buyerReference),
    wrapped("cac:QuotationDocumentReference", "cbc:ID", order.quotation),
    wrapped("cac:Contract", "cbc:ID", order.contract),
    wrapped("cac:ProjectReference", "cbc:ID", order.project?.id),
  ];
}

function parties(deliverable: DeliverableOrder, omissions: Omissions): XmlElement[] {
  const { order, seller, buyerEndpoint, sellerEndpoint } = deliverable;
  const { buyer, invoicee } = order;
  if (order.endUser !== undefined) omissions.add("the address of the end user");
  if (order.installedAt !== undefined) omissions.add("the address of the installation");
  const withTaxNumber = { hasTaxNumber: true, omissions };
  return [
    ["cac:BuyerCustomerParty", [ublParty(buyer, { ...withTaxNumber, endpoint: buyerEndpoint })]],
    [
      "cac:SellerSupplierParty",
      [ublParty(seller, { hasTaxNumber: false, omissions, endpoint: sellerEndpoint })],
    ],
    invoicee && ["cac:AccountingCustomerParty", [ublParty(invoicee, withTaxNumber)]],
  ];
}

function delivery(order: TradeOrder, omissions: Omissions): XmlElement[] {
  const { shipTo, delivery: period, deliveryTerms } = order;
  const details: XmlElement[] = [
    shipTo && ["cac:DeliveryLocation", [["cac:Address", ublAddress(shipTo.address)]]],
    period && [
      "cac:RequestedDeliveryPeriod",
      [
        ["cbc:StartDate", period.first],
        ["cbc:EndDate", period.last],
      ],
    ],
    shipTo && deliveryParty(shipTo, omissions),
  ];
  return [
    details.every((detail) => detail === undefined) ? undefined : ["cac:Delivery", details],
    wrapped("cac:DeliveryTerms", "cbc:SpecialTerms", deliveryTerms),
  ];
}

/** Discounts, tax and totals of the order. */
function amounts({ changes, totals, currency }: TradeOrder): XmlElement[] {
  const inCurrency = { currencyID: currency };
  return [
    ...changes.map((change) => allowance(change, currency)),
    wrapped("cac:TaxTotal", "cbc:TaxAmount", totals.tax, inCurrency),
    [
      "cac:AnticipatedMonetaryTotal",
      [
        ["cbc:LineExtensionAmount", totals.lines, inCurrency],
        ["cbc:TaxExclusiveAmount", totals.net, inCurrency],
        ["cbc:TaxInclusiveAmount", totals.gross, inCurrency],
        ["cbc:AllowanceTotalAmount", totals.allowances, inCurrency],
        ["cbc:ChargeTotalAmount", totals.charges, inCurrency],
        ["cbc:PayableAmount", totals.gross, inCurrency],
      ],
    ],
  ];
}

function allowance(change: TaxedChange, currency: string): XmlElement {
  return [
    "cac:AllowanceCharge",
    [
      ["cbc:ChargeIndicator", String(change.isCharge)],
      ["cbc:AllowanceChargeReasonCode", change.reasonCode],
      optional("cbc:AllowanceChargeReason", change.reason),
      optional("cbc:MultiplierFactorNumeric", change.percent?.rate),
      ["cbc:Amount", change.amount, { currencyID: currency }],
      optional("cbc:BaseAmount", change.percent?.of, { currencyID: currency }),
      taxCategory("cac:TaxCategory", change.tax),
    ],
  ];
}
