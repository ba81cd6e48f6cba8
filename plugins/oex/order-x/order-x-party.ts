import type { OrderXProfile } from "../configuration/export-configuration.js";
import type { Omissions, TradeAddress, TradeContact, TradeParty } from "../trade/trade-order.js";
import { optional, wrapped, type XmlElement } from "../writing/values.js";

export interface OrderXOptions {
  profile: OrderXProfile;
  omissions: Omissions;
}

/** A party (`TradePartyType`). */
export function tradeParty(name: string, party: TradeParty | undefined, options: OrderXOptions): XmlElement {
  return (
    party && [
      name,
      [
        optional("ram:ID", party.number),
        ...party.ids.map(({ scheme, value }): XmlElement => ["ram:GlobalID", value, { schemeID: scheme }]),
        ["ram:Name", party.name],
        ...party.contacts.map((contact) => tradeContact(contact, options)),
        party.address && postalAddress(party.address),
        registration("VA", party.vatNumber),
        registration("FC", party.taxNumber),
      ],
    ]
  );
}

/** A party that only the profile EXTENDED has; `what` names it among the omissions. */
export function extendedParty(
  name: string,
  party: TradeParty | undefined,
  what: string,
  options: OrderXOptions,
): XmlElement {
  if (options.profile === "EXTENDED") return tradeParty(name, party, options);
  if (party !== undefined) options.omissions.add(what);
  return undefined;
}

function tradeContact(
  { name, phone, fax, mail }: TradeContact,
  { profile, omissions }: OrderXOptions,
): XmlElement {
  const isExtended = profile === "EXTENDED";
  if (fax !== undefined && !isExtended) omissions.add("fax numbers");
  if (name === undefined && phone === undefined && mail === undefined && !isExtended) return undefined;
  return [
    "ram:DefinedTradeContact",
    [
      optional("ram:PersonName", name),
      wrapped("ram:TelephoneUniversalCommunication", "ram:CompleteNumber", phone),
      wrapped("ram:FaxUniversalCommunication", "ram:CompleteNumber", isExtended ? fax : undefined),
      wrapped("ram:EmailURIUniversalCommunication", "ram:URIID", mail),
    ],
  ];
}

function postalAddress(address: TradeAddress): XmlElement {
  const [first, second, third] = address.lines;
  return [
    "ram:PostalTradeAddress",
    [
      ["ram:PostcodeCode", address.postalCode],
      optional("ram:LineOne", first),
      optional("ram:LineTwo", second),
      optional("ram:LineThree", third),
      ["ram:CityName", address.city],
      ["ram:CountryID", address.country],
      optional("ram:CountrySubDivisionName", address.region),
    ],
  ];
}

function registration(schemeID: string, value: string | undefined): XmlElement {
  return wrapped("ram:SpecifiedTaxRegistration", "ram:ID", value, { schemeID });
}
