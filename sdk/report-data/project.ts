/** General data of the project, and addresses with their contacts. */
import { AddressType } from "../project/address.js";
import { IsoDate, type Static, Type } from "../schema/schema.js";
import { closed, listOf, oneOf, orNull, text } from "./values.js";

/** General data of the project. */
export const ReportProject = Type.Object(
  {
    name: text("Name of the project."),
    number: text("Number of the project."),
    description: text("What the project is about."),
    projectDate: orNull(IsoDate, "ISO date of the project, such as 2024-07-10, or null."),
    validTo: orNull(IsoDate, "ISO date until which its prices are valid, or null."),
    externalReferenceNumber: text("The customer's own number for it."),
    externalReferenceText: text("The customer's own words for it."),
    customerNumber: text("Number of the customer."),
    company: text("The customer's company."),
    generalAgreementNumber: text("Number of the general agreement that it falls under."),
    personInCharge: text("Person who looks after it."),
    headerText: text("Text before the positions. Plain text with line feeds."),
    footerText: text("Text after the positions. Plain text with line feeds."),
  },
  {
    ...closed,
    description: "The project as a whole. What it does not state is an empty text, or null for dates.",
  },
);
/** General data of the project. Missing values are empty texts, or null for dates. */
export type ReportProject = Static<typeof ReportProject>;

/** A telephone number, e-mail address or web address. Missing values of addresses are absent. */
export const ReportCommAddress = Type.Object(
  {
    type: oneOf(["Phone", "Fax", "Mobile", "WWW", "EMail"], "What kind of number or address it is."),
    scope: oneOf(["Business", "Private"], "Whether it is for business."),
    value: text("The number or address itself."),
  },
  { ...closed, description: "A phone number, e-mail address or the like." },
);

/** A person at an address. */
export const ReportContact = Type.Object(
  {
    id: Type.Integer({ description: "Number of the contact within the project." }),
    contactType: Type.Optional(
      oneOf(
        ["Sale", "Warehouse", "Installer", "Support", "Employee", "Client"],
        "What the person has to do with the project.",
      ),
    ),
    contactNumber: Type.Optional(text("Number by which the person is known.")),
    title: Type.Optional(text("Such as Ms or Dr.")),
    firstName: Type.Optional(text("First name.")),
    lastName: Type.Optional(text("Last name.")),
    commAddresses: Type.Optional(listOf("ReportCommAddress", "Ways to reach the person.")),
  },
  { ...closed, description: "A person at an address." },
);

/** An address with its contacts. */
export const ReportAddress = Type.Object(
  {
    addressType: Type.Enum(AddressType.enum, { description: "Role of the address; the member's own name." }),
    addressNumber: Type.Optional(text("Number by which it is known, such as a customer's number.")),
    addressId: Type.Optional(text("Id in the system that it comes from.")),
    title: Type.Optional(text("Such as Ms or a company's kind.")),
    name1: Type.Optional(text("First line of the name.")),
    name2: Type.Optional(text("Second line of the name.")),
    name3: Type.Optional(text("Third line of the name.")),
    name4: Type.Optional(text("Fourth line of the name.")),
    street: Type.Optional(text("Street with number.")),
    street2: Type.Optional(text("Further line of the street.")),
    countryCode: Type.Optional(text("ISO 3166-1 code of two letters.")),
    postalCode: Type.Optional(text("Postal code.")),
    location: Type.Optional(text("Town.")),
    district: Type.Optional(text("Part of the town.")),
    regionCode: Type.Optional(text("State or province.")),
    poBox: Type.Optional(text("Number of the post-office box.")),
    taxCode: Type.Optional(text("National tax number.")),
    taxCodeEU: Type.Optional(text("VAT number in the EU.")),
    taxCodeUSA: Type.Optional(text("Tax number in the USA.")),
    commAddresses: listOf("ReportCommAddress", "Ways to reach the address; often none."),
    contacts: listOf("ReportContact", "Persons at the address; often none."),
  },
  {
    ...closed,
    description: "An address with its contacts in place. What the project does not state is missing.",
  },
);

const address = (role: string) => Type.Optional(Type.Ref("ReportAddress", { description: role }));

/** The addresses by role. */
export const ReportAddresses = Type.Object(
  {
    SoldTo: address("Who buys."),
    ShipTo: address("Where the goods go."),
    BillTo: address("Who gets the invoice."),
    Payer: address("Who pays."),
    Carrier: address("Who transports."),
    Supplier: address("Who the sender orders from."),
    EndUser: address("Who uses the goods."),
    InstallationCompany: address("Who installs."),
    InstallationLocation: address("Where it is installed."),
    Branch: address("Branch that makes the offer: the sender."),
    InCharge: address("Person or office in charge."),
  } satisfies Record<Static<typeof AddressType>, unknown>,
  { ...closed, description: "Addresses by role, one each; unused roles are missing." },
);
