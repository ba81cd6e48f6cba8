/** Projects with difficult prices. */
import type { ProjectDocument } from "../../project/document.js";
import { projectOf } from "./project-of.js";

/**
 * Calculates in CHF with prices in three currencies: 1 EUR is 0.96 CHF and 160 JPY. The articles cost CHF
 * 100.00, EUR 100.00 (CHF 96.00) and JPY 16000 (CHF 96.00); the total is CHF 292.00 net.
 */
export function foreignPrices(): ProjectDocument {
  return projectOf({
    name: "Prices in three currencies",
    currency: "CHF",
    referenceCurrency: "EUR",
    exchangeRates: { EUR: "1", CHF: "0.96", JPY: "160" },
    taxRates: { standard_rate: "8.1" },
    items: [
      { article: "IN-CHF", text: "In francs", sales: "100.00" },
      { article: "IN-EUR", text: "In euros", sales: { value: "100.00", currency: "EUR" } },
      { article: "IN-JPY", text: "In yen", sales: { value: "16000", currency: "JPY" } },
    ],
  });
}

/**
 * Two rates of value added tax, a tax-exempt article, and discounts that require rounding: three articles of
 * EUR 33.33 with 33.3 % off, and 1 % off the whole project.
 */
export function awkwardCents(): ProjectDocument {
  return projectOf({
    name: "Cents that do not divide",
    taxRates: { standard_rate: "19", reduced_rate: "7", exemption: "0" },
    items: [
      { article: "FULL", text: "Full rate", quantity: 3, sales: "33.33", discount: "33.3" },
      {
        ...{ article: "REDUCED", text: "Reduced rate", quantity: 3, sales: "33.33", discount: "33.3" },
        taxCategory: "reduced_rate",
      },
      {
        ...{ article: "EXEMPT", text: "Exempt", quantity: 3, sales: "33.33", discount: "33.3" },
        taxCategory: "exemption",
      },
    ],
    discount: "1",
  });
}

/**
 * Prices that cannot be calculated: an article in a currency without an exchange rate and one without a
 * price, next to one of EUR 10.00. Unlike the other projects, it causes calculation errors: STDB2B_WBK
 * reports `item-price-error` for the first of them.
 */
export function brokenPrices(): ProjectDocument {
  return projectOf({
    name: "Broken prices",
    items: [
      { article: "NO-RATE", text: "Unknown currency", sales: { value: "10.00", currency: "XTS" } },
      { article: "NO-PRICE", text: "No price" },
      { article: "GOOD", text: "Good price", sales: "10.00" },
    ],
  });
}
