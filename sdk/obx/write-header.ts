/** File `metainf.xml` of an OBK. */
import type { Address, CommAddress, Contact, ProjectDocument } from "../project/document.js";
import {
  addressTypes,
  commAddressScopes,
  commAddressTypes,
  contactTypes,
  projectStates,
} from "./service-names.js";
import { writeAppData } from "./write-app-data.js";
import { writeTexts } from "./write-texts.js";
import { append, type Builder, finishDocument, startDocument } from "./xml-writing.js";

/** Header, addresses, contacts and the data of applications as XML. */
export function writeHeader(project: ProjectDocument): string {
  const { header, settings } = project;
  const root = startDocument("metainf");
  root.att("id", project.id);
  const [language] = settings.languages;
  if (language !== undefined) root.att("lang", language).att("languages", settings.languages.join(","));
  if (header.state !== undefined) root.att("projState", projectStates.toFile(header.state));
  writeMoment(root, "createDate", header.created, header.createdBy);
  writeMoment(root, "lastModDate", header.lastModified, header.modifiedBy);
  const element = append(root, "settings");
  writeProjectData(element, project);
  writeAppData(element, project.appData);
  writeContacts(element, project.contacts ?? []);
  writeAddresses(element, project.addresses ?? []);
  const texts = append(element, "projectTexts");
  if (header.headerText)
    writeTexts(append(texts, "projectText", { type: "header" }), "text", header.headerText);
  if (header.footerText)
    writeTexts(append(texts, "projectText", { type: "footer" }), "text", header.footerText);
  append(root, "persistentURIs");
  return finishDocument(root);
}

function writeMoment(
  root: Builder,
  name: string,
  moment: string | undefined,
  user: string | undefined,
): void {
  if (moment === undefined && user === undefined) return;
  append(root, name, { date: moment?.slice(0, 19).replace("T", " "), utc: moment, user });
}

function writeProjectData(settings: Builder, { header }: ProjectDocument): void {
  const data = append(settings, "projectData", {
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
  for (const [name, value] of fields) append(data, name, {}, value);
  if (header.keywords && header.keywords.length > 0) {
    const keywords = append(data, "keywords");
    for (const keyword of header.keywords) append(keywords, "keyword", {}, keyword);
  }
}

function writeContacts(settings: Builder, contacts: readonly Contact[]): void {
  const list = append(settings, "contacts");
  for (const { id, contactType, commAddresses, ...fields } of contacts) {
    const type = contactType === undefined ? undefined : contactTypes.toFile(contactType);
    const contact = append(list, "contact", { id, type });
    for (const [name, value] of Object.entries(fields)) append(contact, name, {}, value);
    writeCommAddresses(contact, commAddresses);
  }
}

function writeAddresses(settings: Builder, addresses: readonly Address[]): void {
  const list = append(settings, "addresses");
  for (const { addressType, commAddresses, contactIds, ...fields } of addresses) {
    const address = append(list, "address", { type: addressTypes.toFile(addressType) });
    for (const [name, value] of Object.entries(fields)) append(address, name, {}, value);
    writeCommAddresses(address, commAddresses);
    for (const id of contactIds ?? []) append(address, "contact", { id });
  }
}

function writeCommAddresses(parent: Builder, commAddresses: readonly CommAddress[] | undefined): void {
  for (const { type, scope, value } of commAddresses ?? []) {
    const attributes = { type: commAddressTypes.toFile(type), scope: commAddressScopes.toFile(scope) };
    append(parent, "commAddress", attributes, value);
  }
}
