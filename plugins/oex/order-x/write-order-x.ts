/** Writes Order-X 1.0 documents of any size, profiles COMFORT and EXTENDED. */
import { StreamingXmlWriter } from "@slipway/sdk";
import type { OrderXProfile } from "../configuration/export-configuration.js";
import type { Omissions, TradeOrder } from "../trade/trade-order.js";
import { optional, pieceLength, wrapped, writeElements, type XmlElement } from "../writing/values.js";
import { orderXLine } from "./order-x-line.js";
import { guideline, orderTypeCode, orderXNamespaces, orderXRoot } from "./order-x-names.js";
import { extendedParty, type OrderXOptions, tradeParty } from "./order-x-party.js";
import { settlement } from "./order-x-settlement.js";

/** UNCL 1225: original. */
const originalPurpose = "9";

/** The file in pieces. Lines are read while they are written; errors of their source are passed on. */
export async function* writeOrderX(
  order: TradeOrder,
  profile: OrderXProfile,
  omissions: Omissions,
): AsyncGenerator<string> {
  const options = { profile, omissions };
  const writer = new StreamingXmlWriter({ declaration: true });
  writer.open(orderXRoot, orderXNamespaces);
  writeElements(writer, [context(profile), exchangedDocument(order, profile)]);
  writer.open("rsm:SupplyChainTradeTransaction");
  for await (const line of order.lines) {
    writeElements(writer, [orderXLine(line, order.partialDelivery, options)]);
    if (writer.length >= pieceLength) yield writer.take();
  }
  writeElements(writer, [agreement(order, options), delivery(order, options), settlement(order, options)]);
  writer.close();
  writer.close();
  yield writer.take();
}

function context(profile: OrderXProfile): XmlElement {
  return [
    "rsm:ExchangedDocumentContext",
    [wrapped("ram:GuidelineSpecifiedDocumentContextParameter", "ram:ID", guideline(profile))],
  ];
}

function exchangedDocument(order: TradeOrder, profile: OrderXProfile): XmlElement {
  return [
    "rsm:ExchangedDocument",
    [
      ["ram:ID", order.number],
      ["ram:TypeCode", orderTypeCode],
      day("ram:IssueDateTime", order.issued),
      profile === "EXTENDED" ? ["ram:LanguageID", order.language] : undefined,
      ["ram:PurposeCode", originalPurpose],
      ...order.notes.map(
        ({ subject, text }): XmlElement => [
          "ram:IncludedNote",
          [
            ["ram:Content", text],
            ["ram:SubjectCode", subject],
          ],
        ],
      ),
    ],
  ];
}

function agreement(order: TradeOrder, options: OrderXOptions): XmlElement {
  const { project, endUser } = order;
  return [
    "ram:ApplicableHeaderTradeAgreement",
    [
      optional("ram:BuyerReference", order.buyerReference),
      tradeParty("ram:SellerTradeParty", order.seller, options),
      tradeParty("ram:BuyerTradeParty", order.buyer, options),
      extendedParty("ram:ProductEndUserTradeParty", endUser, "the address of the end user", options),
      wrapped("ram:ApplicableTradeDeliveryTerms", "ram:Description", order.deliveryTerms),
      wrapped("ram:QuotationReferencedDocument", "ram:IssuerAssignedID", order.quotation),
      wrapped("ram:ContractReferencedDocument", "ram:IssuerAssignedID", order.contract),
      project && [
        "ram:SpecifiedProcuringProject",
        [
          ["ram:ID", project.id],
          ["ram:Name", project.name],
        ],
      ],
    ],
  ];
}

function delivery({ shipTo, installedAt, delivery: period }: TradeOrder, options: OrderXOptions): XmlElement {
  return [
    "ram:ApplicableHeaderTradeDelivery",
    [
      tradeParty("ram:ShipToTradeParty", shipTo, options),
      extendedParty("ram:UltimateShipToTradeParty", installedAt, "the address of the installation", options),
      period && ["ram:RequestedDeliverySupplyChainEvent", [requestedDelivery(period)]],
    ],
  ];
}

function requestedDelivery({ first, last }: NonNullable<TradeOrder["delivery"]>): XmlElement {
  if (first === last) return day("ram:OccurrenceDateTime", first);
  return ["ram:OccurrenceSpecifiedPeriod", [day("ram:StartDateTime", first), day("ram:EndDateTime", last)]];
}

/** UNTDID 2379: a day. */
const dayFormat = "102";

/** A day, given as "2026-05-11". */
function day(name: string, date: string): XmlElement {
  return wrapped(name, "udt:DateTimeString", date.replaceAll("-", ""), { format: dayFormat });
}
