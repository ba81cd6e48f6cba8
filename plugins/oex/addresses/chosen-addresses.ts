/** Selects a document's addresses: those of the configuration, then the project's for the remaining types. */
import type { Address, AddressType, Contact, ProjectDocument } from "@slipway/sdk";
import type { AddressData } from "../configuration/export-configuration.js";
import type { ExportContext } from "../context/export-context.js";
import type { Repairs } from "../repair/repairs.js";

/** An unmodified input address, with the paths of its parts for reports. */
export interface ChosenAddress {
  address: Omit<AddressData, "contacts">;
  /** For example "config.addresses[0]" or "project.addresses[0]". */
  path: string;
  contacts: ChosenContact[];
}

export interface ChosenContact {
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
