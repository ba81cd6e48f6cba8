/** Selects a document's addresses: those of the configuration, then the project's for the remaining types. */
import {
  type Address,
  type AddressType,
  type CommAddress,
  type Contact,
  type ProjectDocument,
  present,
} from "@slipway/sdk";
import type { AddressData } from "../configuration/export-configuration.js";
import type { ExportContext } from "../context/export-context.js";
import type { Communication, OexContact, PartnerId } from "../document/oex-document.js";
import { FieldRepairs, type GivenValue, type Repairs } from "../repair/repairs.js";
import { oneLine } from "../repair/text-lines.js";

/** An unmodified input address, with the paths of its parts for reports. */
export interface ChosenAddress {
  address: Omit<AddressData, "contacts">;
  /** For example "config.addresses[0]" or "project.addresses[0]". */
  path: string;
  contacts: ChosenContact[];
}

interface ChosenContact {
  /** Undefined if the project lacks the contact that its address refers to. */
  contact: Contact | undefined;
  id: number;
  path: string;
}

export type ChosenAddresses = ReadonlyMap<AddressType, ChosenAddress>;

/**
 * One address per type (OEX reference, section 19). A configured address replaces the project's as a whole, even if it
 * cannot be written, because the goods would otherwise go elsewhere. Further addresses of a type are left out with a
 * report.
 */
export function chosenAddresses(
  context: Pick<ExportContext, "project" | "configuration" | "repairs">,
): ChosenAddresses {
  const { project, configuration, repairs } = context;
  const chosen = firstOfEachType(configuration.addresses.map(ofConfiguration), repairs);
  for (const [type, address] of firstOfEachType(projectAddresses(project), repairs)) {
    if (!chosen.has(type)) chosen.set(type, address);
  }
  return chosen;
}

/** The project's customer address, regardless of the configuration. */
export function customerAddress(project: ProjectDocument): ChosenAddress | undefined {
  return projectAddresses(project).find(({ address }) => address.addressType === "SoldTo");
}

function firstOfEachType(
  addresses: readonly ChosenAddress[],
  repairs: Repairs,
): Map<AddressType, ChosenAddress> {
  const first = new Map<AddressType, ChosenAddress>();
  for (const candidate of addresses) {
    const { addressType } = candidate.address;
    const taken = first.get(addressType);
    if (taken === undefined) first.set(addressType, candidate);
    else {
      const change = `left out: ${taken.path} is of the same type`;
      repairs.report({ field: `${candidate.path}.addressType`, value: addressType, change });
    }
  }
  return first;
}

function ofConfiguration({ contacts = [], ...address }: AddressData, index: number): ChosenAddress {
  const path = `config.addresses[${index}]`;
  return {
    address,
    path,
    contacts: contacts.map((contact, place) => ({
      contact,
      id: contact.id,
      path: `${path}.contacts[${place}]`,
    })),
  };
}

function projectAddresses({ addresses = [], contacts = [] }: ProjectDocument): ChosenAddress[] {
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  return addresses.map((address, index) => ofProject(address, `project.addresses[${index}]`, byId));
}

function ofProject(
  { contactIds = [], ...address }: Address,
  path: string,
  contacts: ReadonlyMap<number, Contact>,
): ChosenAddress {
  const chosen = [...new Set(contactIds)].map((id) => {
    return { contact: contacts.get(id), id, path: `${path}.contactIds[${contactIds.indexOf(id)}]` };
  });
  return { address, path, contacts: chosen };
}

const longestName = 35;

/** OEX reference, sections 9.4 and 19. */
const contactTypes = {
  Sale: "SC",
  Warehouse: "WC",
  Installer: "IN",
  Support: "SU",
  Employee: "EM",
  Client: "CL",
} as const;

/** The contacts of an address. A contact without any name is left out with a report. */
export function addressContacts(contacts: readonly ChosenContact[], repairs: Repairs): OexContact[] {
  return contacts.flatMap(({ contact, id, path }) => {
    const found = contact && contactFrame(contact, new FieldRepairs(repairs, `${path}.`));
    if (found !== undefined) return [found];
    const reason = contact === undefined ? "the project has no such contact" : "it has no name";
    repairs.report({ field: path, value: String(id), change: `left out: ${reason}` });
    return [];
  });
}

function contactFrame(contact: Contact, repairs: FieldRepairs): OexContact | undefined {
  const firstName = repairs.line("firstName", contact.firstName, longestName);
  const lastName = repairs.line("lastName", contact.lastName, longestName);
  const name = lastName ?? firstName;
  if (name === undefined) return undefined;
  return present({
    type: contactTypes[contact.contactType ?? "Employee"],
    number: repairs.line("contactNumber", contact.contactNumber),
    title: repairs.line("title", contact.title),
    firstName: lastName === undefined ? undefined : firstName,
    lastName: name,
    communication: communications(contact.commAddresses, repairs),
  });
}

/** A user given by full name: the last word is the last name (OEX reference, section 17). */
export function userContact(
  field: string,
  name: string | null,
  repairs: FieldRepairs,
): OexContact | undefined {
  const words = oneLine(name ?? "", Number.POSITIVE_INFINITY).split(/\s+/);
  const lastName = repairs.line(field, words.at(-1), longestName);
  const firstName = repairs.line(field, words.slice(0, -1).join(" "), longestName);
  if (lastName === undefined) return undefined;
  return present({ type: "EM" as const, firstName, lastName, communication: [] });
}

/** OEX reference, sections 9.4 and 19. */
const communicationTypes = { Phone: "TEL", Fax: "FAX", Mobile: "MOB", WWW: "WWW", EMail: "EMA" } as const;
const scopes = { Business: "B", Private: "P" } as const;

/** Phone numbers, mail addresses and so on of an address or contact: the first per type and scope. */
export function communications(
  given: readonly CommAddress[] | undefined,
  repairs: FieldRepairs,
): Communication[] {
  const found: Communication[] = [];
  for (const [index, { type, scope, value }] of (given ?? []).entries()) {
    const field = `commAddresses[${index}].value`;
    const line = repairs.line(field, value);
    if (line === undefined) continue;
    const entry = { type: communicationTypes[type], scope: scopes[scope], value: line };
    if (found.some((other) => other.type === entry.type && other.scope === entry.scope)) {
      repairs.report(field, value, `left out: another ${type} with the scope ${scope} comes before it`);
    } else found.push(entry);
  }
  return found;
}

const longestId = 20;

/**
 * A partner id: `GLN` if it is a valid one, else `IIS`, an id assigned by the sender (OEX reference, section 19). An id
 * that is too long is left out, because a truncated one would be a different id.
 */
export function partnerId(field: string, value: GivenValue, repairs: FieldRepairs): PartnerId | undefined {
  const gln = globalLocationNumber(value ?? "");
  if (gln !== undefined) return { type: "GLN", value: gln };
  if ([...oneLine(value ?? "", Number.POSITIVE_INFINITY)].length > longestId) {
    repairs.report(field, value ?? "", `left out: longer than ${longestId} characters`);
    return undefined;
  }
  const id = repairs.line(field, value);
  return id === undefined ? undefined : { type: "IIS", value: id };
}

/**
 * Global location numbers (GLN): 13 digits, the last a check digit. The digits of a GLN, without blanks and hyphens;
 * undefined if the text is not a valid GLN.
 */
export function globalLocationNumber(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, "");
  return /^[0-9]{13}$/.test(digits) && checkDigit(digits.slice(0, 12)) === digits.slice(12)
    ? digits
    : undefined;
}

/** Every second digit has weight three; the check digit makes the sum a multiple of ten. */
function checkDigit(digits: string): string {
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return String((10 - (sum % 10)) % 10);
}
