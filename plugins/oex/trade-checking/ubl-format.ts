import type { DocumentElement } from "../checking/document-element.js";
import { customization, orderTypeCode, profile } from "../ubl/ubl-names.js";
import {
  at,
  type ChangeFacts,
  type OrderFormat,
  type PartyFacts,
  type TaxFacts,
  textAt,
} from "./order-facts.js";

/** Peppol BIS Order 3 (UBL 2.1). */
export const ublFormat: OrderFormat = {
  line: "OrderLine",
  exactGross: true,
  twoDecimals: true,
  mayBeEmpty: undefined,
  price: "Price",
  lineFacts(line) {
    const item = line.child("LineItem");
    const price = item?.child("Price");
    const discount = price?.child("AllowanceCharge");
    const quantity = item?.child("Quantity");
    const basis = textAt(price, "BaseQuantity");
    const gross = textAt(discount, "BaseAmount");
    return {
      id: textAt(item, "ID"),
      name: textAt(item, "Item/Name"),
      quantity: quantity?.text.trim(),
      unit: quantity?.attributes["unitCode"],
      net: textAt(price, "PriceAmount"),
      basis,
      gross:
        discount === undefined || gross === undefined
          ? undefined
          : { amount: gross, basis, changes: [{ ...change(discount), of: undefined, reason: "price" }] },
      total: textAt(item, "LineExtensionAmount"),
      tax: tax(at(item, "Item/ClassifiedTaxCategory")),
    };
  },
  orderFacts(root) {
    const sums = root.child("AnticipatedMonetaryTotal");
    return {
      identifiers: [
        { name: "CustomizationID", value: textAt(root, "CustomizationID"), expected: [customization] },
        { name: "ProfileID", value: textAt(root, "ProfileID"), expected: [profile] },
        { name: "OrderTypeCode", value: textAt(root, "OrderTypeCode"), expected: [orderTypeCode] },
      ],
      issued: textAt(root, "IssueDate"),
      currency: textAt(root, "DocumentCurrencyCode"),
      parties: [
        party("buyer", at(root, "BuyerCustomerParty/Party")),
        party("seller", at(root, "SellerSupplierParty/Party")),
      ],
      changes: root.all("AllowanceCharge").map(change),
      taxes: undefined,
      totals: {
        lines: textAt(sums, "LineExtensionAmount"),
        allowances: textAt(sums, "AllowanceTotalAmount"),
        charges: textAt(sums, "ChargeTotalAmount"),
        net: textAt(sums, "TaxExclusiveAmount"),
        tax: textAt(root, "TaxTotal/TaxAmount"),
        gross: textAt(sums, "TaxInclusiveAmount"),
        payable: textAt(sums, "PayableAmount"),
      },
    };
  },
};

function party(role: string, element: DocumentElement | undefined): PartyFacts {
  return {
    role,
    name: textAt(element, "PartyLegalEntity/RegistrationName"),
    country: textAt(element, "PostalAddress/Country/IdentificationCode"),
    due: ["country", "endpoint"],
    endpoint: textAt(element, "EndpointID"),
    endpointScheme: at(element, "EndpointID")?.attributes["schemeID"],
    prefixedVatNumber: textAt(element, "PartyTaxScheme/CompanyID"),
  };
}

function change(element: DocumentElement): ChangeFacts {
  return {
    isCharge: textAt(element, "ChargeIndicator") === "true",
    amount: textAt(element, "Amount") ?? "",
    percent: textAt(element, "MultiplierFactorNumeric"),
    of: textAt(element, "BaseAmount"),
    reason: textAt(element, "AllowanceChargeReasonCode") ?? textAt(element, "AllowanceChargeReason"),
    tax: tax(element.child("TaxCategory")),
  };
}

function tax(element: DocumentElement | undefined): TaxFacts | undefined {
  return element && { category: textAt(element, "ID"), rate: textAt(element, "Percent") };
}
