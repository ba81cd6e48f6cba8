/** The facts that the rules of orders check, independent of the element names of a format. Texts are those of the file. */
import type { DocumentElement } from "../checking/document-element.js";

export interface OrderFacts {
  /** The identifiers of format and kind of document, each with what is expected. */
  identifiers: { name: string; value: string | undefined; expected: readonly string[] }[];
  issued: string | undefined;
  currency: string | undefined;
  parties: PartyFacts[];
  changes: ChangeFacts[];
  /** Undefined where the format has no taxes one by one. */
  taxes: TaxTotalFacts[] | undefined;
  totals: TotalFacts;
}

export interface PartyFacts {
  role: string;
  name: string | undefined;
  /** Undefined: not due. */
  country?: string | undefined;
  /** Which of its members are due, besides the name. */
  due: readonly ("country" | "endpoint")[];
  endpoint?: string | undefined;
  endpointScheme?: string | undefined;
  /** Value added tax number that must have the prefix of a country. */
  prefixedVatNumber?: string | undefined;
}

export interface LineFacts {
  id: string | undefined;
  name: string | undefined;
  quantity: string | undefined;
  unit: string | undefined;
  net: string | undefined;
  basis: string | undefined;
  gross: { amount: string; basis: string | undefined; changes: ChangeFacts[] } | undefined;
  total: string | undefined;
  tax: TaxFacts | undefined;
}

export interface ChangeFacts {
  isCharge: boolean;
  amount: string;
  percent: string | undefined;
  of: string | undefined;
  reason: string | undefined;
  tax: TaxFacts | undefined;
}

export interface TaxFacts {
  category: string | undefined;
  rate: string | undefined;
}

export interface TaxTotalFacts extends TaxFacts {
  isOther: boolean;
  basis: string;
  amount: string;
}

export interface TotalFacts {
  lines: string | undefined;
  allowances: string | undefined;
  charges: string | undefined;
  net: string | undefined;
  tax: string | undefined;
  gross: string | undefined;
  /** Undefined where the format has none. */
  payable?: string | undefined;
}

/** A format of orders, by its local element names. */
export interface OrderFormat {
  /** The elements that are lines. */
  line: string;
  lineFacts(line: DocumentElement): LineFacts;
  /** `root` has no lines. */
  orderFacts(root: DocumentElement): OrderFacts;
  /** The difference of gross and net price is exactly the sum of its changes. */
  exactGross: boolean;
  /** All amounts but prices have two decimals at most. */
  twoDecimals: boolean;
  /** An element that its schema demands although it may have nothing to say. */
  mayBeEmpty: string | undefined;
  /** Elements whose amounts are prices. */
  price: string;
}

/** The element at a path of local names such as "Party/PartyName/Name". */
export function at(element: DocumentElement | undefined, path: string): DocumentElement | undefined {
  return path.split("/").reduce((found, name) => found?.child(name), element);
}

/** The text of that element without blanks around it; undefined without one. */
export function textAt(element: DocumentElement | undefined, path: string): string | undefined {
  return at(element, path)?.text.trim();
}
