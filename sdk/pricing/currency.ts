/** Conversion between currencies. */

import { Exact, one } from "../locale/exact.js";
import type { Money, ProjectSettings } from "../project/document.js";
import { ownMember } from "../schema/own-member.js";
import type { Rounding } from "./rounding.js";

/** Converts amounts to the currency of a project. */
export class CurrencyConverter {
  /** The target currency, ISO 4217. */
  readonly target: string;
  private readonly rates = new Map<string, Exact | undefined>();

  constructor(
    private readonly settings: ProjectSettings,
    private readonly rounding: Rounding,
  ) {
    this.target = settings.currency;
  }

  /**
   * Amount / rate of its currency * rate of the project's currency, rounded to the project's smallest amount;
   * an amount in the project's currency is returned unchanged. Undefined if `missingRate` returns a currency.
   */
  convert(money: Money): Exact | undefined {
    const amount = new Exact(money.value);
    if (money.currency === this.target) return amount;
    const source = this.rate(money.currency);
    const target = this.rate(this.target);
    if (source === undefined || target === undefined) return undefined;
    const product = amount.times(target);
    return this.rounding.round(source.eq(one) ? product : product.div(source));
  }

  /** The currency whose missing rate prevents a conversion from `source`. */
  missingRate(source: string): string | undefined {
    if (source === this.target) return undefined;
    return [source, this.target].find((currency) => this.rate(currency) === undefined);
  }

  private rate(currency: string): Exact | undefined {
    if (!this.rates.has(currency)) this.rates.set(currency, this.read(currency));
    return this.rates.get(currency);
  }

  /** Rates of zero or less are ignored. */
  private read(currency: string): Exact | undefined {
    const text = ownMember(this.settings.exchangeRates, currency);
    const rate = new Exact(text ?? (currency === this.settings.referenceCurrency ? 1 : 0));
    return rate.gt(0) ? rate : undefined;
  }
}
