import { type Contact, present } from "@slipway/sdk";
import type { OexContact } from "../document/frames.js";
import { FieldRepairs } from "../repair/field-repairs.js";
import type { Repairs } from "../repair/repairs.js";
import { oneLine } from "../repair/text-lines.js";
import type { ChosenContact } from "./chosen-addresses.js";
import { communications } from "./communication.js";

const longestName = 35;

/** OEX reference, sections 9.4 and 19. */
const types = {
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
    type: types[contact.contactType ?? "Employee"],
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
