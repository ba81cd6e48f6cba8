/** Electronic addresses of parties, to which Peppol delivers. */
import { prefixedVatNumber, vatScheme } from "../trade/trade-codes.js";
import type { PartyId, TradeParty } from "../trade/trade-order.js";

const locationNumbers = "0088";

/**
 * The configured one ("0088:4012345000009"), else the GLN of the party, else its value added tax number in the scheme of its
 * country; undefined if it has none of them.
 */
export function endpointOf(party: TradeParty, configured: string | undefined): PartyId | undefined {
  if (configured !== undefined) {
    const at = configured.indexOf(":");
    return { scheme: configured.slice(0, at), value: configured.slice(at + 1) };
  }
  const location = party.ids.find(({ scheme }) => scheme === locationNumbers);
  if (location !== undefined) return location;
  const value = prefixedVatNumber(party.vatNumber ?? "");
  const scheme = value && vatScheme(value);
  return value === undefined || scheme === undefined ? undefined : { scheme, value };
}
