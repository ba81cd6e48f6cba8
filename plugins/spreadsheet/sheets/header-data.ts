/** The project's header data and addresses. */
import { type Address, type CommAddress, type Contact, localTime, parseLocale } from "@slipway/sdk";
import type { ExportContext } from "../request/export-context.js";
import type { Words } from "../words/english.js";
import type { Cell, PrintSettings, Row, Sheet } from "../workbook/sheet.js";

/** One field of the header data. */
interface HeaderField {
  section: string;
  field: string;
  content: Cell;
}

type StatedText = [field: string, text: string];

/** The header data as a separate table. */
export function headerData(context: ExportContext): Sheet {
  const { words } = context;
  return {
    name: words.project,
    columns: [{ header: words.section }, { header: words.field }, { header: words.content }],
    rows: rows(context),
  };
}

async function* rows(context: ExportContext): AsyncGenerator<Row> {
  for (const { section, field, content } of headerFields(context)) {
    yield { cells: [{ kind: "text", text: section }, { kind: "text", text: field }, content] };
  }
}

/** Header fields, then addresses; missing values are left out. */
export function headerFields(context: ExportContext): HeaderField[] {
  return [...projectFields(context), ...addressFields(context)];
}

function projectFields({
  project,
  prices,
  words,
  texts,
  labels,
  currency,
  viewName,
  now,
  timeZone,
}: ExportContext): HeaderField[] {
  const { header } = project;
  const texted = (field: string, text: string | undefined): HeaderField[] =>
    (text ?? "") === ""
      ? []
      : [{ section: words.project, field, content: { kind: "text", text: text ?? "" } }];
  const dated = (field: string, date: string | undefined): HeaderField[] =>
    date === undefined ? [] : [{ section: words.project, field, content: { kind: "date", date } }];
  return [
    ...texted(words.projectName, header.name),
    ...texted(words.projectNumber, header.number),
    ...texted(words.description, header.description),
    ...dated(words.projectDate, header.projectDate),
    ...dated(words.validUntil, header.validTo),
    ...texted(words.reference, header.externalReferenceNumber),
    ...texted(words.referenceText, header.externalReferenceText),
    ...texted(words.customerNumber, header.customerNumber),
    ...texted(words.company, header.company),
    ...texted(words.agreementNumber, header.generalAgreementNumber),
    ...texted(words.inCharge, header.personInCharge),
    ...texted(words.keywords, header.keywords?.join(", ")),
    ...texted(words.currency, currency),
    ...texted(
      words.procedure,
      labels.ofProject(prices.procedure.label, "name of the procedure") || prices.procedure.name,
    ),
    ...texted(words.view, viewName),
    ...dated(words.exported, isoDay(localTime(now, timeZone).day)),
    ...texted(words.headerText, texts.ofProject(header.headerText, "headerText")),
    ...texted(words.footerText, texts.ofProject(header.footerText, "footerText")),
  ];
}

/** yyyymmdd as yyyy-mm-dd. */
function isoDay(day: string): string {
  return `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
}

/** The fields of each address; its role is the section. */
function addressFields(context: ExportContext): HeaderField[] {
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

/** The country name in the language of the locale; the code if it is invalid. */
function countryName(code: string, locale: string): string {
  if (!/^[A-Z]{2}$/i.test(code)) return code;
  const names = new Intl.DisplayNames([parseLocale(locale)?.language ?? "en", "en"], { type: "region" });
  return names.of(code.toUpperCase()) ?? code;
}

function joined(texts: readonly (string | undefined)[], separator: string): string {
  return texts.filter((text) => (text ?? "") !== "").join(separator);
}

/** Header and footer of printed pages: the project, and page numbers. */
export function pageTexts({ project, words }: ExportContext): PrintSettings {
  const { name = "", number = "" } = project.header;
  return {
    header: { left: [name, number].filter((text) => text !== "").join(" · ") },
    footer: { pages: words.pages },
  };
}
