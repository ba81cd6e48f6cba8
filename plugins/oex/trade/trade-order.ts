/**
 * An order in the terms that formats of general trade share (Order-X 1.0, Peppol BIS Order 3), whatever their element names
 * are. Amounts are decimals with two places unless stated otherwise; days are ISO 8601, such as "2026-05-11".
 */
import type { Suppression } from "@slipway/sdk";

export interface TradeOrder {
  number: string;
  /** Day of the order. */
  issued: string;
  /** ISO 639-1 code of all texts. */
  language: string;
  /** ISO 4217. */
  currency: string;
  notes: TradeNote[];
  /** Commission. */
  buyerReference?: string;
  quotation?: string;
  /** Framework contract. */
  contract?: string;
  project?: { id: string; name: string };
  /** Requested delivery, both days included. */
  delivery?: { first: string; last: string };
  /** Requested delivery as a text. */
  deliveryTerms?: string;
  partialDelivery?: boolean;
  buyer: LocatedParty;
  seller: TradeParty;
  shipTo?: LocatedParty;
  invoicee?: LocatedParty;
  endUser?: LocatedParty;
  /** Where the goods are installed. */
  installedAt?: LocatedParty;
  /** Discounts and surcharges on the whole order, each for one rate of the value added tax. */
  changes: TaxedChange[];
  taxes: TaxTotal[];
  totals: OrderTotals;
  /** Read only once. */
  lines: AsyncIterable<TradeLine>;
}

export interface TradeNote {
  /** UNCL 4451: general information, additional conditions, delivery instructions. */
  subject: "AAI" | "AAJ" | "DIN";
  text: string;
}

export interface TradeParty {
  name: string;
  /** Number that the other party gave it. */
  number?: string;
  /** Ids with their ISO 6523 scheme: GLN ("0088"), DUNS ("0060"). */
  ids: PartyId[];
  address?: TradeAddress;
  /** Value added tax number. */
  vatNumber?: string;
  taxNumber?: string;
  contacts: TradeContact[];
}

export type LocatedParty = TradeParty & { address: TradeAddress };

export interface PartyId {
  scheme: string;
  value: string;
}

export interface TradeAddress {
  /** One to three: street first. */
  lines: string[];
  postalCode: string;
  city: string;
  region?: string;
  /** ISO 3166-1, two capitals. */
  country: string;
}

/** At least one member. */
export interface TradeContact {
  name?: string;
  phone?: string;
  fax?: string;
  mail?: string;
}

/** UNCL 5305: standard, zero rated, exempt. */
type TaxCategory = "S" | "Z" | "E";

/** A rate of the value added tax, in percent. */
export interface TradeTax {
  category: TaxCategory;
  rate: string;
}

/** `TTNE` and `TTAX` of the header. */
export interface TaxTotal extends TradeTax {
  /** Not the value added tax. */
  isOther: boolean;
  basis: string;
  amount: string;
}

/** A discount or surcharge. */
export interface TradeChange {
  isCharge: boolean;
  amount: string;
  /** Percent, and the amount that it refers to; together they lead to `amount`. */
  percent?: { rate: string; of: string };
  /** UNCL 5189 for discounts, UNCL 7161 for surcharges. */
  reasonCode: string;
  reason?: string;
}

export type TaxedChange = TradeChange & { tax?: TradeTax };

export interface OrderTotals {
  lines: string;
  allowances: string;
  charges: string;
  /** Without taxes: `lines` less `allowances` plus `charges`. */
  net: string;
  /** All taxes; undefined without any. */
  tax?: string;
  /** `net` and `tax`. */
  gross: string;
}

export interface TradeLine {
  /** The item number of the OEX document. */
  id: string;
  /** Id of the item in the project. */
  itemId: string;
  notes: string[];
  name: string;
  description?: string;
  /** The configured article, else the base article. */
  sellerNumber: string;
  buyerNumber?: string;
  baseNumber: string;
  /** Name of the manufacturer. */
  brand?: string;
  /** Name of the series. */
  series?: string;
  properties: TradeProperty[];
  /** OFML variant code, from which the manufacturer can configure the article anew. */
  variantCode?: string;
  classifications: { system: string; value: string }[];
  /** Of one packed unit. */
  packaging?: { width?: Measure; length?: Measure; height?: Measure };
  quantity: string;
  /** UN/ECE Recommendation 20. */
  unit: string;
  price: LinePrice;
  tax?: TradeTax;
}

export interface Measure {
  value: string;
  /** UN/ECE Recommendation 20. */
  unit: string;
}

export interface TradeProperty {
  code: string;
  name: string;
  value: string;
  /** The symbol of the value, unless it is the value itself. */
  valueCode?: string;
}

export interface LinePrice {
  /** Net price of `basis` units: the quantity over the basis, times this, is `total` to the cent. */
  net: string;
  /** Undefined: one. */
  basis?: string;
  /** Price before the discounts and surcharges of the item, for `basis` units. */
  gross?: { amount: string; basis?: string; changes: TradeChange[] };
  total: string;
}

/** Collects the values of an order that a format of general trade lacks, and reports each kind once. */
export class Omissions {
  private readonly counts = new Map<string, number>();

  /** `format`: its name, such as "Order-X COMFORT". */
  constructor(readonly format: string) {}

  /** `what`: the kind, in the plural, such as "weights". */
  add(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** Call once, when the file is written: suppressed errors `oex-value-omitted`. */
  report(suppress: (suppression: Suppression) => void): void {
    for (const [what, count] of this.counts)
      suppress({
        id: "oex-value-omitted",
        scope: "WARN",
        message: `${this.format} has no place for ${what}; the export leaves this out${count > 1 ? ` ${count} times` : ""}.`,
        additionalInformation: { format: this.format, what, count },
      });
  }
}
