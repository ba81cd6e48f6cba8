/** Addresses and contacts: the service has the contacts inside of an address, a document beside it. */
import {
  Address,
  CommAddress,
  Contact,
  type ProjectDocument,
  present,
  type Static,
  Type,
} from "@slipway/sdk";
import { attribute, content } from "../soap/soap.js";
import { closed } from "./soap-operation.js";

const WireCommAddress = Type.Object(
  {
    value: Type.String({ maxLength: 4000, ...content }),
    type: Type.Enum(CommAddress.properties.type.enum, attribute),
    scope: Type.Enum(CommAddress.properties.scope.enum, attribute),
  },
  closed,
);
const CommAddresses = Type.Optional(
  Type.Object({ commAddress: Type.Array(WireCommAddress, { maxItems: 100 }) }, closed),
);

const contact = Contact.properties;
/** A contact; 0 is the id of one that is new. */
export const ContactData = Type.Object(
  {
    contactNumber: contact.contactNumber,
    title: contact.title,
    firstName: contact.firstName,
    lastName: contact.lastName,
    commAddresses: CommAddresses,
    id: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, ...attribute }),
    contactType: Type.Optional(Type.Enum(contact.contactType.enum, attribute)),
  },
  closed,
);
export type ContactData = Static<typeof ContactData>;

const { addressType, commAddresses: _, contactIds: __, ...texts } = Address.properties;
/** An address with its contacts. */
export const AddressData = Type.Object(
  {
    ...texts,
    commAddresses: CommAddresses,
    contacts: Type.Optional(Type.Object({ contact: Type.Array(ContactData, { maxItems: 200 }) }, closed)),
    addressType: Type.Enum(addressType.enum, attribute),
  },
  closed,
);
export type AddressData = Static<typeof AddressData>;

type Contacts = NonNullable<ProjectDocument["contacts"]>;

/** The addresses of a project; with types, only those. */
export function addressesOf(project: ProjectDocument, types: readonly string[] = []): AddressData[] {
  const contacts = new Map((project.contacts ?? []).map((each) => [each.id, each]));
  const wanted = (project.addresses ?? []).filter(
    (address) => types.length === 0 || types.includes(address.addressType),
  );
  return wanted.map(({ contactIds = [], commAddresses, ...address }) => {
    const own = contactIds.flatMap((id) => contacts.get(id) ?? []).map(contactData);
    return {
      ...address,
      ...wrapped(commAddresses),
      ...(own.length === 0 ? {} : { contacts: { contact: own } }),
    };
  });
}

export function contactData({ commAddresses, ...contact }: Contacts[number]): ContactData {
  return { ...contact, ...wrapped(commAddresses) };
}

function wrapped(commAddresses: CommAddress[] | undefined): Pick<ContactData, "commAddresses"> {
  return commAddresses === undefined ? {} : { commAddresses: { commAddress: commAddresses } };
}

/** The project with an address in place of the one of its type. Its contacts are those that it brings. */
export function withAddress(project: ProjectDocument, given: AddressData): ProjectDocument {
  const { contacts: brought, commAddresses, ...address } = given;
  let contacts: Contacts = project.contacts ?? [];
  const contactIds: number[] = [];
  for (const each of brought?.contact ?? []) {
    const added = withContact(contacts, each);
    contacts = added.contacts;
    contactIds.push(added.id);
  }
  const written: Address = {
    ...address,
    ...(commAddresses === undefined ? {} : { commAddresses: commAddresses.commAddress }),
    ...(contactIds.length === 0 ? {} : { contactIds: [...new Set(contactIds)] }),
  };
  const before = project.addresses ?? [];
  const isThere = before.some((each) => each.addressType === address.addressType);
  const addresses = isThere
    ? before.map((each) => (each.addressType === address.addressType ? written : each))
    : [...before, written];
  return withParties(project, { addresses, contacts });
}

/** The project with other addresses and contacts; it has no empty lists. */
export function withParties(
  project: ProjectDocument,
  {
    addresses = project.addresses,
    contacts = project.contacts,
  }: Pick<ProjectDocument, "addresses" | "contacts">,
): ProjectDocument {
  const ifAny = <T>(list: T[] | undefined) => (list?.length === 0 ? undefined : list);
  return present({ ...project, addresses: ifAny(addresses), contacts: ifAny(contacts) });
}

/** The contacts with one more, or with another in place of the one with its id. */
export function withContact(
  contacts: Contacts,
  { commAddresses, ...given }: ContactData,
): { contacts: Contacts; id: number } {
  const id =
    given.id === 0 ? contacts.reduce((highest, each) => Math.max(highest, each.id), 0) + 1 : given.id;
  const written: Contact = {
    ...given,
    id,
    ...(commAddresses === undefined ? {} : { commAddresses: commAddresses.commAddress }),
  };
  const isThere = contacts.some((each) => each.id === id);
  return {
    id,
    contacts: isThere ? contacts.map((each) => (each.id === id ? written : each)) : [...contacts, written],
  };
}

/** The project without contacts; with a type, they stay in the project and leave its address only. */
export function withoutContacts(
  project: ProjectDocument,
  addressType: string | undefined,
  ids: readonly number[] | undefined,
): { project: ProjectDocument; removed: number[] } {
  const removed = new Set<number>();
  const leaves = (id: number): boolean => {
    const goes = ids === undefined || ids.includes(id);
    if (goes) removed.add(id);
    return goes;
  };
  const addresses = (project.addresses ?? []).map((address) => {
    if (addressType !== undefined && address.addressType !== addressType) return address;
    const { contactIds, ...rest } = address;
    const left = contactIds?.filter((id) => !leaves(id)) ?? [];
    return left.length === 0 ? rest : { ...rest, contactIds: left };
  });
  const contacts = project.contacts ?? [];
  const kept = addressType === undefined ? contacts.filter(({ id }) => !leaves(id)) : contacts;
  return { project: withParties(project, { addresses, contacts: kept }), removed: [...removed] };
}
