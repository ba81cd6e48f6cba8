/** Writes orders of Peppol BIS Order 3 (UBL 2.1) of any size. */
import { StreamingXmlWriter, type XmlAttributes, type XmlWriter } from "@slipway/sdk";
import { NoTradeOrder } from "../trade/create-trade-order.js";
import type { Omissions } from "../trade/omissions.js";
import type { LocatedParty, PartyId, TradeOrder, TradeParty } from "../trade/trade-order.js";
import { writeOptional, writeValue } from "../writing/values.js";
import { endpointOf } from "./endpoint.js";
import { writeUblAmounts } from "./ubl-amounts.js";
import { writeUblLine } from "./ubl-line.js";
import { customization, orderTypeCode, profile } from "./ubl-names.js";
import { writeDeliveryParty, writeUblAddress, writeUblParty } from "./ubl-party.js";

/** Characters (UTF-16 units). */
const pieceLength = 65_536;

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

/** The file in pieces. Lines are read while they are written; errors of their source are passed on. */
export async function* writeUblOrder(
  deliverable: DeliverableOrder,
  omissions: Omissions,
): AsyncGenerator<string> {
  const { order } = deliverable;
  const writer = new StreamingXmlWriter({ declaration: true });
  writer.open("Order", namespaces);
  writeHead(writer, order);
  writeParties(writer, deliverable, omissions);
  writeDelivery(writer, order, omissions);
  writeUblAmounts(writer, order);
  const { currency, partialDelivery } = order;
  for await (const line of order.lines) {
    writeUblLine(writer, line, { currency, partialDelivery, omissions });
    if (writer.length >= pieceLength) yield writer.take();
  }
  writer.close();
  yield writer.take();
}

function writeHead(writer: XmlWriter, order: TradeOrder): void {
  const note = order.notes.map(({ text }) => text).join("\n");
  writeValue(writer, "cbc:CustomizationID", customization);
  writeValue(writer, "cbc:ProfileID", profile);
  writeValue(writer, "cbc:ID", order.number);
  writeValue(writer, "cbc:IssueDate", order.issued);
  writeValue(writer, "cbc:OrderTypeCode", orderTypeCode);
  writeOptional(writer, "cbc:Note", note === "" ? undefined : note);
  writeValue(writer, "cbc:DocumentCurrencyCode", order.currency);
  writeOptional(writer, "cbc:CustomerReference", order.buyerReference);
  writeReference(writer, "cac:QuotationDocumentReference", order.quotation);
  writeReference(writer, "cac:Contract", order.contract);
  writeReference(writer, "cac:ProjectReference", order.project?.id);
}

function writeReference(writer: XmlWriter, name: string, number: string | undefined): void {
  if (number === undefined) return;
  writer.open(name);
  writeValue(writer, "cbc:ID", number);
  writer.close();
}

function writeParties(writer: XmlWriter, deliverable: DeliverableOrder, omissions: Omissions): void {
  const { order, seller, buyerEndpoint, sellerEndpoint } = deliverable;
  if (order.endUser !== undefined) omissions.add("the address of the end user");
  if (order.installedAt !== undefined) omissions.add("the address of the installation");
  writer.open("cac:BuyerCustomerParty");
  writeUblParty(writer, order.buyer, { endpoint: buyerEndpoint, hasTaxNumber: true, omissions });
  writer.close();
  writer.open("cac:SellerSupplierParty");
  writeUblParty(writer, seller, { endpoint: sellerEndpoint, hasTaxNumber: false, omissions });
  writer.close();
  if (order.invoicee === undefined) return;
  writer.open("cac:AccountingCustomerParty");
  writeUblParty(writer, order.invoicee, { hasTaxNumber: true, omissions });
  writer.close();
}

function writeDelivery(
  writer: XmlWriter,
  { shipTo, delivery, deliveryTerms }: TradeOrder,
  omissions: Omissions,
): void {
  if (shipTo !== undefined || delivery !== undefined) {
    writer.open("cac:Delivery");
    if (shipTo !== undefined) {
      writer.open("cac:DeliveryLocation");
      writer.open("cac:Address");
      writeUblAddress(writer, shipTo.address);
      writer.close();
      writer.close();
    }
    if (delivery !== undefined) {
      writer.open("cac:RequestedDeliveryPeriod");
      writeValue(writer, "cbc:StartDate", delivery.first);
      writeValue(writer, "cbc:EndDate", delivery.last);
      writer.close();
    }
    if (shipTo !== undefined) writeDeliveryParty(writer, shipTo, omissions);
    writer.close();
  }
  if (deliveryTerms === undefined) return;
  writer.open("cac:DeliveryTerms");
  writeValue(writer, "cbc:SpecialTerms", deliveryTerms);
  writer.close();
}
