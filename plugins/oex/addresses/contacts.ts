import { type CommAddress, type Contact, present } from "@slipway/sdk";
import type { Communication, OexContact } from "../document/frames.js";
import { FieldRepairs, type Repairs } from "../repair/repairs.js";
import { oneLine } from "../repair/text-lines.js";
import type { ChosenContact } from "./chosen-addresses.js";

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
