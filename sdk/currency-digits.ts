/** Decimal places of currencies, for computing and printing. */

import { ownMember } from "./own-member.js";

/** ISO 4217: currencies whose number of decimal places is not two. */
const minorUnits: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ").map((code) => [code, 0]),
  ),
  ...Object.fromEntries("BHD IQD JOD KWD LYD OMR TND".split(" ").map((code) => [code, 3])),
  ...Object.fromEntries("CLF UYW".split(" ").map((code) => [code, 4])),
};

/** Decimal places of an ISO 4217 currency: 2 for EUR, 0 for JPY, 3 for KWD; 2 for an unknown code. */
export function currencyDigits(currency: string): number {
  return ownMember(minorUnits, currency) ?? 2;
}
