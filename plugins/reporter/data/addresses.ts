import type { ProjectDocument, ReportAddress, ReportData } from "@slipway/sdk";

/** The project's addresses by type, with the contacts that they refer to; the first of a type counts. */
export function addressData(project: ProjectDocument): ReportData["addresses"] {
  const contacts = new Map((project.contacts ?? []).map((contact) => [contact.id, contact]));
  const addresses: ReportData["addresses"] = {};
  for (const { contactIds, ...address } of project.addresses ?? []) {
    const known = (contactIds ?? []).map((id) => contacts.get(id));
    const complete: ReportAddress = {
      ...address,
      contacts: known.filter((contact) => contact !== undefined),
      commAddresses: address.commAddresses ?? [],
    };
    addresses[address.addressType] ??= complete;
  }
  return addresses;
}
