/** File `metainf.xml` of an OBK. */
import type {
  Address,
  CommAddress,
  Contact,
  ProjectDocument,
  ProjectHeader,
} from "../../project/document.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import { writeAppData } from "./app-data.js";
import type { KeepingXmlWriter } from "./keeping-xml-writer.js";
import { treeOf } from "./kept-tree.js";
import {
  addressTypes,
  commAddressScopes,
  commAddressTypes,
  contactTypes,
  projectStates,
} from "./service-names.js";
import { writeTextGroup } from "./write-context.js";

/** Writes header, addresses, contacts and application data. */
export function writeHeader(writer: KeepingXmlWriter, project: ProjectDocument): void {
  const { header, settings } = project;
  const [language] = settings.languages;
  writer.expect(project.kept?.metainf && treeOf(project.kept.metainf));
  writer.open("metainf", {
    id: project.id,
    lang: language,
    languages: language === undefined ? undefined : settings.languages.join(","),
    projState: header.state === undefined ? undefined : projectStates.toFile(header.state),
  });
  writeMoment(writer, "createDate", header.created, header.createdBy);
  writeMoment(writer, "lastModDate", header.lastModified, header.modifiedBy);
  writer.open("settings");
  writeProjectData(writer, header);
  writeCustomer(writer, project);
  writeAppData(writer, project.appData);
  writeContacts(writer, project.contacts ?? []);
  writeAddresses(writer, project.addresses ?? []);
  writeProjectTexts(writer, header);
  writer.close();
  const kept = project.kept?.metainf?.elements ?? [];
  if (!kept.some(({ name }) => name === "persistentURIs")) writer.element("persistentURIs", "");
  writer.close();
}

function writeProjectTexts(writer: XmlWriter, { headerText, footerText }: ProjectHeader): void {
  writer.open("projectTexts");
  const texts = { header: headerText, footer: footerText };
  for (const [type, text] of Object.entries(texts)) {
    if (text) writeTextGroup(writer, { element: "projectText", attributes: { type } }, "text", text);
  }
  writer.close();
}

function writeMoment(
  writer: XmlWriter,
  name: string,
  moment: string | undefined,
  user: string | undefined,
): void {
  if (moment === undefined && user === undefined) return;
  writer.element(name, "", { date: moment?.slice(0, 19).replace("T", " "), utc: moment, user });
}

function writeProjectData(writer: XmlWriter, header: ProjectHeader): void {
  writer.open("projectData", {
    projDate: header.projectDate,
    validToDate: header.validTo,
    version: header.version,
  });
  const fields: [name: string, value: string | undefined][] = [
    ["number", header.number],
    ["name", header.name],
    ["description", header.description],
    ["personInCharge", header.personInCharge],
    ["extRefNr", header.externalReferenceNumber],
    ["extRefText", header.externalReferenceText],
    ["extCustId", header.externalCustomerId],
    ["custRemarks", header.customerRemarks],
    ["genAgrmtNr", header.generalAgreementNumber],
    ["customerNumber", header.customerNumber],
    ["company", header.company],
  ];
  writeFields(writer, fields);
  if (header.keywords && header.keywords.length > 0) {
    writer.open("keywords");
    for (const keyword of header.keywords) writer.element("keyword", keyword);
    writer.close();
  }
  writer.close();
}

/** The older form of the sold-to address, for programs that only know that form. */
function writeCustomer(writer: XmlWriter, { header, addresses, contacts }: ProjectDocument): void {
  const address = addresses?.find(({ addressType }) => addressType === "SoldTo");
  const contact = contacts?.find(({ id }) => id === address?.contactIds?.[0]);
  const reachedBy = (type: CommAddress["type"]): string | undefined =>
    address?.commAddresses?.find((each) => each.type === type)?.value;
  writer.open("customerData");
  writeFields(writer, [
    ["customerNumber", header.customerNumber],
    ["salutation", contact?.title],
    ["firstName", contact?.firstName],
    ["lastName", contact?.lastName],
    ["EmailAddr", reachedBy("EMail")],
    ["company", header.company],
    ["organization", address?.name2],
    ["streetAddr", address?.street],
    ["city", address?.location],
    ["stateOrProvince", address?.regionCode],
    ["cityCode", undefined],
    ["POBox", address?.poBox],
    ["postalCode", address?.postalCode],
    ["country", address?.countryCode],
    ["phone", reachedBy("Phone")],
    ["fax", reachedBy("Fax")],
  ]);
  writer.close();
}

function writeContacts(writer: XmlWriter, contacts: readonly Contact[]): void {
  writer.open("contacts");
  for (const { id, contactType, commAddresses, ...fields } of contacts) {
    const type = contactType === undefined ? undefined : contactTypes.toFile(contactType);
    writer.open("contact", { id, type });
    writeFields(writer, Object.entries(fields));
    writeCommAddresses(writer, commAddresses);
    writer.close();
  }
  writer.close();
}

function writeAddresses(writer: XmlWriter, addresses: readonly Address[]): void {
  writer.open("addresses");
  for (const { addressType, commAddresses, contactIds, ...fields } of addresses) {
    writer.open("address", { type: addressTypes.toFile(addressType) });
    writeFields(writer, Object.entries(fields));
    writeCommAddresses(writer, commAddresses);
    for (const id of contactIds ?? []) writer.element("contact", "", { id });
    writer.close();
  }
  writer.close();
}

function writeCommAddresses(writer: XmlWriter, commAddresses: readonly CommAddress[] | undefined): void {
  for (const { type, scope, value } of commAddresses ?? []) {
    const attributes = { type: commAddressTypes.toFile(type), scope: commAddressScopes.toFile(scope) };
    writer.element("commAddress", value, attributes);
  }
}

/** One element per field, empty for a field without a value. */
function writeFields(writer: XmlWriter, fields: readonly [name: string, value: string | undefined][]): void {
  for (const [name, value] of fields) writer.element(name, value ?? "");
}
