/** File `metainf.xml` of an OBK: project name, dates, customer and contacts. */
import type { Address, CommAddress, Contact, ProjectHeader } from "../../project/document.js";
import { ifAny, present } from "./present.js";
import type { ReadWarnings } from "./read-warnings.js";
import {
  addressTypes,
  commAddressScopes,
  commAddressTypes,
  contactTypes,
  projectStates,
} from "./service-names.js";
import {
  attributeOf,
  attributeOrChild,
  childOf,
  childrenOf,
  childText,
  dateOf,
  integerOf,
  languageOf,
  textsIfAny,
  uuidOf,
} from "./xml-reading.js";
import type { XmlElement } from "./xml-tree.js";

/** The content of `metainf.xml`. */
export interface FileHeader {
  id?: string;
  header: ProjectHeader;
  languages: string[];
  addresses?: Address[];
  contacts?: Contact[];
  appDataElement?: XmlElement;
}

/** Reads the root element `metainf`. */
export function readHeader(root: XmlElement, warnings: ReadWarnings): FileHeader {
  const settings = childOf(root, "settings");
  const customer = childOf(settings, "customerData");
  const contacts = childrenOf(childOf(settings, "contacts"), "contact").flatMap((contact) =>
    readContact(contact, warnings),
  );
  const addresses = childrenOf(childOf(settings, "addresses"), "address").flatMap((address) =>
    readAddress(address, warnings),
  );
  addLegacyCustomer(customer, addresses, contacts);
  return present({
    id: uuidOf(root, "id"),
    header: readHeaderFields(root, childOf(settings, "projectData"), customer),
    languages: readLanguages(root),
    addresses: ifAny(addresses),
    contacts: ifAny(contacts),
    appDataElement: childOf(settings, "appData"),
  });
}

/** The quote language first. */
function readLanguages(root: XmlElement): string[] {
  const listed = (attributeOf(root, "languages") ?? "")
    .split(/[\s,;]+/)
    .filter((language) => language !== "");
  const own = languageOf(root);
  return [...new Set(own === "und" ? listed : [own, ...listed])];
}

function readHeaderFields(
  root: XmlElement,
  data: XmlElement | undefined,
  customer: XmlElement | undefined,
): ProjectHeader {
  const keywords = childrenOf(childOf(data, "keywords"), "keyword").flatMap(({ text }) =>
    text === "" ? [] : text,
  );
  const version = integerOf(data, "version");
  return present({
    name: childText(data, "name"),
    number: childText(data, "number"),
    version: version !== undefined && version >= 0 ? version : undefined,
    description: childText(data, "description"),
    state: projectStates.toDocument(attributeOf(root, "projState")),
    created: momentOf(childOf(root, "createDate")),
    lastModified: momentOf(childOf(root, "lastModDate")),
    projectDate: dateOf(data, "projDate"),
    validTo: dateOf(data, "validToDate"),
    createdBy: attributeOf(childOf(root, "createDate"), "user"),
    modifiedBy: attributeOf(childOf(root, "lastModDate"), "user"),
    personInCharge: childText(data, "personInCharge"),
    externalReferenceNumber: childText(data, "extRefNr"),
    externalReferenceText: childText(data, "extRefText"),
    customerNumber: childText(data, "customerNumber") ?? childText(customer, "customerNumber"),
    externalCustomerId: childText(data, "extCustId"),
    customerRemarks: childText(data, "custRemarks"),
    company: childText(data, "company") ?? childText(customer, "company"),
    generalAgreementNumber: childText(data, "genAgrmtNr"),
    keywords: ifAny(keywords),
    headerText: projectText(root, "header"),
    footerText: projectText(root, "footer"),
  });
}

/** A text before ("header") or after ("footer") the items of a report. */
function projectText(root: XmlElement, kind: "header" | "footer"): ProjectHeader["headerText"] {
  const texts = childrenOf(childOf(childOf(root, "settings"), "projectTexts"), "projectText");
  const text = texts.find((each) => attributeOf(each, "type")?.toLowerCase().startsWith(kind));
  return text && textsIfAny(childrenOf(text, "text"));
}

/** The UTC time of `createDate` or `lastModDate`; the local time lacks an offset. */
function momentOf(element: XmlElement | undefined): string | undefined {
  const moment = attributeOf(element, "utc")?.trim();
  return moment !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(moment)
    ? moment
    : undefined;
}

function readContact(element: XmlElement, warnings: ReadWarnings): Contact[] {
  const id = integerOf(element, "id");
  if (id === undefined) {
    warnings.add(element.path, "skipped: a contact without a numeric id", element.line);
    return [];
  }
  const contact = present({
    id,
    contactType: contactTypes.toDocument(attributeOf(element, "type")),
    contactNumber: attributeOrChild(element, "contactNumber"),
    title: attributeOrChild(element, "title"),
    firstName: attributeOrChild(element, "firstName"),
    lastName: attributeOrChild(element, "lastName"),
    commAddresses: ifAny(
      childrenOf(element, "commAddress").flatMap((each) => readCommAddress(each, warnings)),
    ),
  });
  return [contact];
}

function readCommAddress(element: XmlElement, warnings: ReadWarnings): CommAddress[] {
  const type = commAddressTypes.toDocument(attributeOf(element, "type"));
  const scope = commAddressScopes.toDocument(attributeOf(element, "scope")) ?? "Business";
  if (type !== undefined) return element.text === "" ? [] : [{ value: element.text, type, scope }];
  warnings.add(element.path, "skipped: a communication address of an unknown type", element.line);
  return [];
}

function readAddress(element: XmlElement, warnings: ReadWarnings): Address[] {
  const addressType = addressTypes.toDocument(attributeOf(element, "type"));
  if (addressType === undefined) {
    warnings.add(element.path, "skipped: an address of an unknown type", element.line);
    return [];
  }
  const value = (name: string): string | undefined => attributeOrChild(element, name);
  const address = present({
    addressType,
    addressNumber: value("addressNumber"),
    addressId: value("addressId"),
    title: value("title"),
    name1: value("name1"),
    name2: value("name2"),
    name3: value("name3"),
    name4: value("name4"),
    street: value("street"),
    street2: value("street2"),
    countryCode: value("countryCode"),
    postalCode: value("postalCode"),
    location: value("location"),
    district: value("district"),
    regionCode: value("regionCode"),
    poBox: value("poBox"),
    taxCode: value("taxCode"),
    taxCodeEU: value("taxCodeEU"),
    taxCodeUSA: value("taxCodeUSA"),
    commAddresses: ifAny(
      childrenOf(element, "commAddress").flatMap((each) => readCommAddress(each, warnings)),
    ),
    contactIds: ifAny(childrenOf(element, "contact").flatMap((contact) => integerOf(contact, "id") ?? [])),
  });
  return [address];
}

/** The older form of customer data becomes the sold-to address, unless the file has one. */
function addLegacyCustomer(
  customer: XmlElement | undefined,
  addresses: Address[],
  contacts: Contact[],
): void {
  const value = (name: string): string | undefined => childText(customer, name);
  const person = [value("firstName"), value("lastName")].flatMap((name) => name ?? []).join(" ");
  const place = value("streetAddr") ?? value("city") ?? value("postalCode") ?? value("POBox");
  if (addresses.some((address) => address.addressType === "SoldTo") || (person === "" && place === undefined))
    return;
  const commAddresses = [
    { type: "Phone" as const, value: value("phone") },
    { type: "Fax" as const, value: value("fax") },
    { type: "EMail" as const, value: value("EmailAddr") },
  ].flatMap((each) =>
    each.value === undefined ? [] : [{ ...each, value: each.value, scope: "Business" as const }],
  );
  const contactId = Math.max(0, ...contacts.map((contact) => contact.id)) + 1;
  if (person !== "") {
    const names = { title: value("salutation"), firstName: value("firstName"), lastName: value("lastName") };
    contacts.push(present({ id: contactId, contactType: "Client" as const, ...names }));
  }
  const [name1, name2] = [value("company"), value("organization")].flatMap((name) => name ?? []);
  addresses.push(
    present({
      addressType: "SoldTo" as const,
      addressNumber: value("customerNumber"),
      name1: name1 ?? (person === "" ? undefined : person),
      name2,
      street: value("streetAddr"),
      postalCode: value("postalCode") ?? value("cityCode"),
      location: value("city"),
      regionCode: value("stateOrProvince"),
      countryCode: value("country"),
      poBox: value("POBox"),
      commAddresses: ifAny(commAddresses),
      contactIds: person === "" ? undefined : [contactId],
    }),
  );
}
