import type { DocumentElement } from "../checking/document-element.js";
import { orderXProfiles } from "../configuration/export-configuration.js";
import { guideline, orderTypeCode } from "../order-x/order-x-names.js";
import { at, type ChangeFacts, type OrderFormat, type TaxFacts, textAt } from "./order-facts.js";

/** Order-X 1.0, COMFORT and EXTENDED. */
export const orderXFormat: OrderFormat = {
  line: "IncludedSupplyChainTradeLineItem",
  exactGross: false,
  twoDecimals: false,
  mayBeEmpty: "ApplicableHeaderTradeDelivery",
  price: "SpecifiedLineTradeAgreement",
  lineFacts(line) {
    const gross = at(line, "SpecifiedLineTradeAgreement/GrossPriceProductTradePrice");
    const net = at(line, "SpecifiedLineTradeAgreement/NetPriceProductTradePrice");
    const settlement = line.child("SpecifiedLineTradeSettlement");
    const quantity = at(line, "SpecifiedLineTradeDelivery/RequestedQuantity");
    return {
      id: textAt(line, "AssociatedDocumentLineDocument/LineID"),
      name: textAt(line, "SpecifiedTradeProduct/Name"),
      quantity: quantity?.text.trim(),
      unit: quantity?.attributes["unitCode"],
      net: textAt(net, "ChargeAmount"),
      basis: textAt(net, "BasisQuantity"),
      gross: gross && {
        amount: textAt(gross, "ChargeAmount") ?? "",
        basis: textAt(gross, "BasisQuantity"),
        changes: gross.all("AppliedTradeAllowanceCharge").map(change),
      },
      total: textAt(settlement, "SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount"),
      tax: tax(settlement?.child("ApplicableTradeTax")),
    };
  },
  orderFacts(root) {
    const document = root.child("ExchangedDocument");
    const transaction = root.child("SupplyChainTradeTransaction");
    const agreement = transaction?.child("ApplicableHeaderTradeAgreement");
    const settlement = transaction?.child("ApplicableHeaderTradeSettlement");
    const sums = settlement?.child("SpecifiedTradeSettlementHeaderMonetarySummation");
    const context = "ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID";
    const profile = textAt(root, context);
    const buyer = agreement?.child("BuyerTradeParty");
    const day = textAt(document, "IssueDateTime/DateTimeString") ?? "";
    return {
      identifiers: [
        { name: "the guideline", value: profile, expected: orderXProfiles.map(guideline) },
        { name: "TypeCode", value: textAt(document, "TypeCode"), expected: [orderTypeCode] },
      ],
      issued: day.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3"),
      currency: textAt(settlement, "OrderCurrencyCode"),
      parties: [
        {
          role: "buyer",
          name: textAt(buyer, "Name"),
          country: textAt(buyer, "PostalTradeAddress/CountryID"),
          due: ["country"],
        },
        { role: "seller", name: textAt(agreement, "SellerTradeParty/Name"), due: [] },
      ],
      changes: settlement?.all("SpecifiedTradeAllowanceCharge").map(change) ?? [],
      taxes:
        profile === guideline("EXTENDED")
          ? (settlement?.all("ApplicableTradeTax") ?? []).map((each) => ({
              ...tax(each),
              isOther: textAt(each, "TypeCode") !== "VAT",
              basis: textAt(each, "BasisAmount") ?? "",
              amount: textAt(each, "CalculatedAmount") ?? "",
            }))
          : undefined,
      totals: {
        lines: textAt(sums, "LineTotalAmount"),
        allowances: textAt(sums, "AllowanceTotalAmount"),
        charges: textAt(sums, "ChargeTotalAmount"),
        net: textAt(sums, "TaxBasisTotalAmount"),
        tax: textAt(sums, "TaxTotalAmount"),
        gross: textAt(sums, "GrandTotalAmount"),
      },
    };
  },
};

function change(element: DocumentElement): ChangeFacts {
  return {
    isCharge: textAt(element, "ChargeIndicator/Indicator") === "true",
    amount: textAt(element, "ActualAmount") ?? "",
    percent: textAt(element, "CalculationPercent"),
    of: textAt(element, "BasisAmount"),
    reason: textAt(element, "ReasonCode") ?? textAt(element, "Reason"),
    tax: element.child("CategoryTradeTax") && tax(element.child("CategoryTradeTax")),
  };
}

function tax(element: DocumentElement): TaxFacts;
function tax(element: DocumentElement | undefined): TaxFacts | undefined;
function tax(element: DocumentElement | undefined): TaxFacts | undefined {
  return (
    element && {
      category: textAt(element, "CategoryCode"),
      rate: textAt(element, "RateApplicablePercent"),
    }
  );
}
