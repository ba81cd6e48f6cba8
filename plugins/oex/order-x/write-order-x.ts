/** Writes Order-X 1.0 documents of any size, profiles COMFORT and EXTENDED. */
import { StreamingXmlWriter, type XmlWriter } from "@slipway/sdk";
import type { OrderXProfile } from "../configuration/embeddable-files.js";
import type { Omissions } from "../trade/omissions.js";
import type { TradeOrder } from "../trade/trade-order.js";
import { writeOptional, writeValue } from "../writing/values.js";
import { writeOrderXLine } from "./order-x-line.js";
import { guideline, orderTypeCode, orderXNamespaces, orderXRoot } from "./order-x-names.js";
import { writeDay, writeParty } from "./order-x-party.js";
import { writeSettlement } from "./order-x-settlement.js";

/** UNCL 1225: original. */
const originalPurpose = "9";

/** Characters (UTF-16 units). */
const pieceLength = 65_536;

/** The file in pieces. Lines are read while they are written; errors of their source are passed on. */
export async function* writeOrderX(
  order: TradeOrder,
  profile: OrderXProfile,
  omissions: Omissions,
): AsyncGenerator<string> {
  const writer = new StreamingXmlWriter({ declaration: true });
  writer.open(orderXRoot, orderXNamespaces);
  writeContext(writer, profile);
  writeDocument(writer, order, profile);
  writer.open("rsm:SupplyChainTradeTransaction");
  for await (const line of order.lines) {
    writeOrderXLine(writer, line, { profile, partialDelivery: order.partialDelivery, omissions });
    if (writer.length >= pieceLength) yield writer.take();
  }
  writeAgreement(writer, order, profile, omissions);
  writeDelivery(writer, order, profile, omissions);
  writeSettlement(writer, order, profile, omissions);
  writer.close();
  writer.close();
  yield writer.take();
}

function writeContext(writer: XmlWriter, profile: OrderXProfile): void {
  writer.open("rsm:ExchangedDocumentContext");
  writer.open("ram:GuidelineSpecifiedDocumentContextParameter");
  writeValue(writer, "ram:ID", guideline(profile));
  writer.close();
  writer.close();
}

function writeDocument(writer: XmlWriter, order: TradeOrder, profile: OrderXProfile): void {
  writer.open("rsm:ExchangedDocument");
  writeValue(writer, "ram:ID", order.number);
  writeValue(writer, "ram:TypeCode", orderTypeCode);
  writeDay(writer, "ram:IssueDateTime", order.issued);
  if (profile === "EXTENDED") writeValue(writer, "ram:LanguageID", order.language);
  writeValue(writer, "ram:PurposeCode", originalPurpose);
  for (const { subject, text } of order.notes) {
    writer.open("ram:IncludedNote");
    writeValue(writer, "ram:Content", text);
    writeValue(writer, "ram:SubjectCode", subject);
    writer.close();
  }
  writer.close();
}

function writeAgreement(
  writer: XmlWriter,
  order: TradeOrder,
  profile: OrderXProfile,
  omissions: Omissions,
): void {
  const options = { profile, omissions };
  writer.open("ram:ApplicableHeaderTradeAgreement");
  writeOptional(writer, "ram:BuyerReference", order.buyerReference);
  writeParty(writer, "ram:SellerTradeParty", order.seller, options);
  writeParty(writer, "ram:BuyerTradeParty", order.buyer, options);
  if (order.endUser !== undefined) {
    if (profile === "EXTENDED") writeParty(writer, "ram:ProductEndUserTradeParty", order.endUser, options);
    else omissions.add("the address of the end user");
  }
  if (order.deliveryTerms !== undefined) {
    writer.open("ram:ApplicableTradeDeliveryTerms");
    writeValue(writer, "ram:Description", order.deliveryTerms);
    writer.close();
  }
  writeReference(writer, "ram:QuotationReferencedDocument", order.quotation);
  writeReference(writer, "ram:ContractReferencedDocument", order.contract);
  if (order.project !== undefined) {
    writer.open("ram:SpecifiedProcuringProject");
    writeValue(writer, "ram:ID", order.project.id);
    writeValue(writer, "ram:Name", order.project.name);
    writer.close();
  }
  writer.close();
}

function writeReference(writer: XmlWriter, name: string, number: string | undefined): void {
  if (number === undefined) return;
  writer.open(name);
  writeValue(writer, "ram:IssuerAssignedID", number);
  writer.close();
}

function writeDelivery(
  writer: XmlWriter,
  { shipTo, installedAt, delivery }: TradeOrder,
  profile: OrderXProfile,
  omissions: Omissions,
): void {
  const options = { profile, omissions };
  writer.open("ram:ApplicableHeaderTradeDelivery");
  if (shipTo !== undefined) writeParty(writer, "ram:ShipToTradeParty", shipTo, options);
  if (installedAt !== undefined) {
    if (profile === "EXTENDED") writeParty(writer, "ram:UltimateShipToTradeParty", installedAt, options);
    else omissions.add("the address of the installation");
  }
  if (delivery !== undefined) {
    writer.open("ram:RequestedDeliverySupplyChainEvent");
    if (delivery.first === delivery.last) writeDay(writer, "ram:OccurrenceDateTime", delivery.first);
    else {
      writer.open("ram:OccurrenceSpecifiedPeriod");
      writeDay(writer, "ram:StartDateTime", delivery.first);
      writeDay(writer, "ram:EndDateTime", delivery.last);
      writer.close();
    }
    writer.close();
  }
  writer.close();
}
