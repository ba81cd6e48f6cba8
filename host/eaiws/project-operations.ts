/** Operations of the service `Project`: header, addresses, contacts and texts. */
import { AddressType, Type } from "@slipway/sdk";
import {
  AddressData,
  addressesOf,
  ContactData,
  contactData,
  withAddress,
  withContact,
  withoutContacts,
  withParties,
} from "./address-data.js";
import {
  ProjectData,
  ProjectText,
  projectData,
  projectTexts,
  withProjectData,
  withProjectText,
} from "./project-data.js";
import { NoResult, sessionOperation } from "./soap-operation.js";
import { WireFormat } from "./wire-values.js";

const Format = Type.Optional(WireFormat);
const AddressTypes = Type.Array(AddressType);

export const projectOperations = [
  sessionOperation({
    name: "getProjectData",
    parameters: { textFormat: Format },
    result: ProjectData,
    handle: async ({ project }, { textFormat }) => projectData(await project(), textFormat),
  }),
  sessionOperation({
    name: "setProjectData",
    parameters: { data: ProjectData },
    result: NoResult,
    handle: ({ change }, { data }) => change((project) => withProjectData(project, data)),
  }),
  sessionOperation({
    name: "getAddressData",
    parameters: { addressTypes: Type.Optional(AddressTypes) },
    result: Type.Array(AddressData),
    handle: async ({ project }, { addressTypes }) => addressesOf(await project(), addressTypes),
  }),
  sessionOperation({
    name: "setAddressData",
    parameters: { address: AddressData },
    result: NoResult,
    handle: ({ change }, { address }) => change((project) => withAddress(project, address)),
  }),
  sessionOperation({
    name: "removeAddressData",
    parameters: { addressTypes: AddressTypes },
    result: AddressTypes,
    async handle({ replace }, { addressTypes }) {
      const { removed } = await replace(({ addresses = [], ...project }) => {
        const goes = ({ addressType }: (typeof addresses)[number]): boolean =>
          addressTypes.includes(addressType);
        const kept = addresses.filter((address) => !goes(address));
        return {
          project: withParties(project, { addresses: kept }),
          removed: addresses.filter(goes).map(({ addressType }) => addressType),
        };
      });
      return removed;
    },
  }),
  sessionOperation({
    name: "getContactData",
    parameters: {},
    result: Type.Array(ContactData),
    handle: async ({ project }) => ((await project()).contacts ?? []).map(contactData),
  }),
  sessionOperation({
    name: "setContactData",
    parameters: { contact: ContactData },
    result: NoResult,
    handle: ({ change }, { contact }) =>
      change((project) => withParties(project, withContact(project.contacts ?? [], contact))),
  }),
  sessionOperation({
    name: "removeContactData",
    parameters: {
      addressType: Type.Optional(AddressType),
      contactIds: Type.Optional(Type.Array(Type.Integer())),
    },
    result: Type.Array(Type.Integer()),
    handle: async ({ replace }, { addressType, contactIds }) =>
      (await replace((project) => withoutContacts(project, addressType, contactIds))).removed,
  }),
  sessionOperation({
    name: "getProjectTexts",
    parameters: {
      textTypes: Type.Optional(Type.Array(Type.Enum(["HeaderText", "FooterText"]))),
      textFormat: Format,
    },
    result: Type.Array(ProjectText),
    handle: async ({ project }, { textTypes, textFormat }) =>
      projectTexts(await project(), textFormat, textTypes),
  }),
  sessionOperation({
    name: "setProjectText",
    parameters: { text: ProjectText, update: Type.Optional(Type.Boolean()) },
    result: NoResult,
    handle: ({ change }, { text, update = false }) =>
      change((project) => withProjectText(project, text, update)),
  }),
];
