/** Maps the lower-case, hyphenated names in files to those of the interface document. */
import type { Address, CommAddress, Contact, ProjectHeader } from "../../project/document.js";

/** A two-way mapping between names of the file and of the document. */
export interface NameTable<T extends string> {
  toDocument(name: string | undefined): T | undefined;
  toFile(name: T): string;
}

function nameTable<T extends string>(pairs: readonly (readonly [file: string, document: T])[]): NameTable<T> {
  const documents = new Map(pairs.map(([file, document]) => [normalized(file), document]));
  const files = new Map(pairs.map(([file, document]) => [document, file]));
  for (const [, document] of pairs) documents.set(normalized(document), document);
  return {
    toDocument: (name) => (name === undefined ? undefined : documents.get(normalized(name))),
    toFile: (name) => files.get(name) ?? name,
  };
}

/** Treats "in-charge", "InCharge" and "in_charge" as equal. */
function normalized(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, "");
}

export const projectStates = nameTable<NonNullable<ProjectHeader["state"]>>([
  ["undef", "Undefined"],
  ["in-progress", "InProgress"],
  ["offered", "Offered"],
  ["ordered", "Ordered"],
  ["not-commissioned", "NotCommissioned"],
  ["approval-required", "ApprovalRequired"],
  ["waiting-for-approval", "WaitingForApproval"],
  ["approval-denied", "ApprovalDenied"],
  ["approved", "Approved"],
]);

export const addressTypes = nameTable<Address["addressType"]>([
  ["sold-to", "SoldTo"],
  ["ship-to", "ShipTo"],
  ["bill-to", "BillTo"],
  ["payer", "Payer"],
  ["carrier", "Carrier"],
  ["supplier", "Supplier"],
  ["end-user", "EndUser"],
  ["installation-company", "InstallationCompany"],
  ["installation-location", "InstallationLocation"],
  ["branch", "Branch"],
  ["in-charge", "InCharge"],
]);

export const contactTypes = nameTable<NonNullable<Contact["contactType"]>>([
  ["sale", "Sale"],
  ["warehouse", "Warehouse"],
  ["installer", "Installer"],
  ["support", "Support"],
  ["employee", "Employee"],
  ["client", "Client"],
]);

export const commAddressTypes = nameTable<CommAddress["type"]>([
  ["phone", "Phone"],
  ["fax", "Fax"],
  ["mobile", "Mobile"],
  ["www", "WWW"],
  ["email", "EMail"],
]);

export const commAddressScopes = nameTable<CommAddress["scope"]>([
  ["business", "Business"],
  ["private", "Private"],
]);
