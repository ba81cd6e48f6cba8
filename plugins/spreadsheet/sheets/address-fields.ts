/** The addresses of a project with the people who are there. */
import { type Address, type CommAddress, type Contact, parseLocale } from "@slipway/sdk";
import type { ExportContext } from "../request/export-context.js";
import type { Words } from "../words/english.js";
import type { HeaderField } from "./header-field.js";

/** Of each address what it states; its role is the section. */
export function addressFields(context: ExportContext): HeaderField[] {
  const contacts = new Map((context.project.contacts ?? []).map((contact) => [contact.id, contact]));
  return (context.project.addresses ?? []).flatMap((address) => {
    const people = (address.contactIds ?? []).flatMap((id) => contacts.get(id) ?? []);
    const stated = [
      ...addressTexts(address, context),
      ...people.flatMap((each) => contactTexts(each, context.words)),
    ];
    return stated
      .filter(([, text]) => text !== "")
      .map(([field, text]): HeaderField => {
        const section = context.words.roles[address.addressType];
        return { section, field, content: { kind: "text", text } };
      });
  });
}

type StatedText = [field: string, text: string];

function addressTexts(address: Address, { words, locale }: ExportContext): StatedText[] {
  const { name1, name2, name3, name4 } = address;
  return [
    [words.addressNumber, address.addressNumber ?? ""],
    [words.name, joined([address.title, name1, name2, name3, name4], ", ")],
    [words.street, joined([address.street, address.street2], ", ")],
    [words.poBox, address.poBox ?? ""],
    [words.town, joined([address.postalCode, address.location, address.district], " ")],
    [words.country, countryName(address.countryCode ?? "", locale)],
    [words.taxId, address.taxCode ?? address.taxCodeEU ?? address.taxCodeUSA ?? ""],
    ...communication(address.commAddresses, words),
  ];
}

function contactTexts(contact: Contact, words: Words): StatedText[] {
  return [
    [words.contact, joined([contact.title, contact.firstName, contact.lastName], " ")],
    ...communication(contact.commAddresses, words),
  ];
}

function communication(addresses: readonly CommAddress[] | undefined, words: Words): StatedText[] {
  const names: Record<CommAddress["type"], string> = {
    Phone: words.phone,
    Fax: words.fax,
    Mobile: words.mobile,
    WWW: words.website,
    EMail: words.email,
  };
  return (addresses ?? []).map(({ type, value }) => [names[type], value]);
}

/** In the language of the locale; the code where it is none. */
function countryName(code: string, locale: string): string {
  if (!/^[A-Z]{2}$/i.test(code)) return code;
  const names = new Intl.DisplayNames([parseLocale(locale)?.language ?? "en", "en"], { type: "region" });
  return names.of(code.toUpperCase()) ?? code;
}

function joined(texts: readonly (string | undefined)[], separator: string): string {
  return texts.filter((text) => (text ?? "") !== "").join(separator);
}
